/** Records all answers of one engine to a list of requests. */
import { setTimeout as pause } from 'node:timers/promises'
import type { JournalEntry } from '../support/app-process.ts'
import { type App, type Engine, type RunningApp, start } from '../support/engines.ts'
import type { ParityRequest, RawRequest } from '../support/request.ts'
import type { Answer } from '../support/wire.ts'

export type Transport = 'socket' | 'inject' | 'raw'

/** One request on one transport. */
export type Exchange =
  | { readonly title: string; readonly via: 'socket' | 'inject'; readonly request: ParityRequest }
  | { readonly title: string; readonly via: 'raw'; readonly request: RawRequest }

export interface Outcome {
  /** The answer; for raw bytes everything that was received; the failure if there was no answer. */
  readonly answer: Answer | { readonly raw: string } | { readonly failure: string }
  /** The journal's entries for this request. */
  readonly journal: readonly JournalEntry[]
}

export interface Transcript {
  readonly outcomes: readonly Outcome[]
  /** The journal's entries without a request: about opening and closing the application. */
  readonly journal: readonly JournalEntry[]
}

/**
 * Every request over a socket; the valid ones, whole conversations and every fourth of the rest also through `inject`;
 * then the raw bytes.
 */
export function exchangesOf(
  requests: readonly ParityRequest[],
  raw: readonly RawRequest[],
): Exchange[] {
  const injectable = requests.filter(
    (request, index) =>
      isInjectable(request) &&
      (request.conversation !== undefined || index % 4 === 0 || request.title.endsWith(': valid')),
  )
  return [
    ...requests.map((request) => ({ title: request.title, via: 'socket' as const, request })),
    ...injectable.map((request) => ({
      title: `${request.title} (inject)`,
      via: 'inject' as const,
      request,
    })),
    ...raw.map((request) => ({ title: request.title, via: 'raw' as const, request })),
  ]
}

/** `inject` takes headers as an object, and delimits bodies itself. */
export function isInjectable({
  headers = [],
  framing,
}: Pick<ParityRequest, 'headers' | 'framing'>): boolean {
  const names = headers.map(([name]) => name.toLowerCase())
  return framing === undefined && new Set(names).size === names.length
}

/** Number of requests at the same time, to detect any that affect each other. */
const LANES = 4

/** Runs `app` on `engine` and sends it all requests. */
export async function transcribe(
  engine: Engine,
  app: App,
  exchanges: readonly Exchange[],
): Promise<Transcript> {
  const running = await start(engine, app)
  const answers: Outcome['answer'][] = []
  const conversations = new Conversations()
  const lanes = lanesOf(exchanges)
  const lasting: Promise<void>[] = []
  const drive = async (lane: number): Promise<void> => {
    for (const [index, exchange] of exchanges.entries()) {
      if (lanes[index] !== lane) continue
      const answer = answerTo(running, exchange, requestId(index), lane, conversations)
      if (exchange.via === 'raw' && exchange.request.lasts === true) {
        lasting.push(answer.then((late) => void (answers[index] = late)))
      } else {
        answers[index] = await answer
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, (_, lane) => drive(lane)))
  // Raw bytes have no request id, so they are counted: one after the other.
  await drive(LANES)
  await running.journal()
  const entries = byRequest(await running.close())
  await Promise.all(lasting)
  const outcomes = answers.map((answer, index) => {
    const id = requestId(index)
    const journal = entries.get(id) ?? []
    entries.delete(id)
    return { answer, journal }
  })
  return { outcomes, journal: [...entries.values()].flat() }
}

/** The lane of each exchange: a conversation keeps to one, and raw bytes have one of their own after all others. */
function lanesOf(exchanges: readonly Exchange[]): number[] {
  const conversations = new Map<string, number>()
  return exchanges.map(({ via, request }, index) => {
    if (via === 'raw') return LANES
    const lane = index % LANES
    if (request.conversation === undefined) return lane
    const kept = conversations.get(request.conversation) ?? lane
    conversations.set(request.conversation, kept)
    return kept
  })
}

function byRequest(journal: readonly JournalEntry[]): Map<string, JournalEntry[]> {
  const entries = new Map<string, JournalEntry[]>()
  for (const entry of journal) {
    const sofar = entries.get(entry.request)
    if (sofar === undefined) entries.set(entry.request, [entry])
    else sofar.push(entry)
  }
  return entries
}

function requestId(index: number): string {
  return `parity-${index + 1}`
}

async function answerTo(
  running: RunningApp,
  exchange: Exchange,
  id: string,
  lane: number,
  conversations: Conversations,
): Promise<Outcome['answer']> {
  try {
    if (exchange.via === 'raw') return { raw: await running.sendRaw(exchange.request) }
    if (exchange.request.wait !== undefined) await pause(exchange.request.wait)
    const request = conversations.fill(exchange.request, exchange.via)
    const answer =
      exchange.via === 'socket'
        ? await running.send(request, id, lane)
        : await running.inject(request, id)
    conversations.take(exchange.request, exchange.via, answer)
    return answer
  } catch (error) {
    return { failure: (error as Error).message }
  }
}

/** The values that were taken from answers. Sockets and injected requests have separate conversations. */
class Conversations {
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

  /** Takes the values that `request` needs from its answer; throws if one is missing. */
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
