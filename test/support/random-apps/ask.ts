/** Requests to an application that does not listen. */

export interface Question {
  readonly method: string
  readonly url: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

interface Application {
  inject(options: object): PromiseLike<{
    readonly statusCode: number
    readonly headers: Record<string, unknown>
    readonly payload: string
  }>
}

export async function ask(app: object, questions: readonly Question[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const { method, url, body, headers } of questions) {
    const response = await (app as Application).inject({
      method,
      url,
      ...(body !== undefined && { payload: body }),
      headers: { ...headers },
    })
    const { date: _, ...rest } = response.headers
    answers.push({ status: response.statusCode, headers: rest, body: response.payload })
  }
  return answers
}
