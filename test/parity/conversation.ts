/** Values that later requests of a conversation take from earlier answers: cookies, tokens, entity tags. */
import type { ParityRequest } from '../support/request.ts'
import type { Answer } from '../support/wire.ts'

/** The values that were taken from answers. What goes over sockets and what is injected are conversations apart. */
export class Conversations {
  readonly #values = new Map<string, Map<string, string>>()

  /**
   * The request with what was taken so far put into its `{{name}}`s, and the transport for `{{via}}`; throws when
   * one was not taken.
   */
  fill(request: ParityRequest, via: string): ParityRequest {
    if (request.conversation === undefined) return request
    const values = this.#of(request.conversation, via)
    const put = (text: string): string =>
      text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
        const value = name === 'via' ? via : values.get(name)
        if (value === undefined) throw new Error(`Nothing was taken as ${JSON.stringify(name)}`)
        return value
      })
    const { target, headers = [], body } = request
    return {
      ...request,
      target: put(target),
      headers: headers.map(([name, value]) => [name, put(value)]),
      ...(typeof body === 'string' ? { body: put(body) } : {}),
    }
  }

  /** Takes what `request` wants to have from its answer; throws when it is not there. */
  take({ conversation = '', take = {} }: ParityRequest, via: string, answer: Answer): void {
    const values = this.#of(conversation, via)
    const head = answer.headers.map((header) => header.join(': ')).join('\n')
    for (const [name, pattern] of Object.entries(take)) {
      const value = pattern.exec(`${head}\n\n${answer.body}`)?.[1]
      if (value === undefined) throw new Error(`${pattern} matches nothing in the answer`)
      values.set(name, value)
    }
  }

  #of(conversation: string, via: string): Map<string, string> {
    const key = `${via} ${conversation}`
    let values = this.#values.get(key)
    if (values === undefined) this.#values.set(key, (values = new Map()))
    return values
  }
}
