/** Everything that one engine answers to one list of requests. */
import type { JournalEntry } from '../support/host.ts'
import { type App, type Engine, type RunningApp, start } from '../support/engines.ts'
import type { ParityRequest, RawRequest } from '../support/request.ts'
import type { Answer } from '../support/wire.ts'

/** How a request travels. */
export type Transport = 'socket' | 'inject' | 'raw'

/** One request on one transport. */
export type Exchange =
  | { readonly title: string; readonly via: 'socket' | 'inject'; readonly request: ParityRequest }
  | { readonly title: string; readonly via: 'raw'; readonly raw: string }

/** What came of it. */
export interface Outcome {
  /** The answer; for raw bytes all that came back; what went wrong when there was none. */
  readonly answer: Answer | { readonly raw: string } | { readonly failure: string }
  /** The journal's entries for this request. */
  readonly journal: readonly JournalEntry[]
}

export interface Transcript {
  readonly outcomes: readonly Outcome[]
  /** The journal's entries that belong to no request: how the application opened and closed. */
  readonly journal: readonly JournalEntry[]
}

/** Every request over a socket, the valid ones and every fourth also through `inject`, then the raw bytes. */
export function exchangesOf(
  requests: readonly ParityRequest[],
  raw: readonly RawRequest[],
): Exchange[] {
  const injectable = requests.filter(
    (request, index) =>
      isInjectable(request) && (index % 4 === 0 || request.title.endsWith(': valid')),
  )
  return [
    ...requests.map((request) => ({ title: request.title, via: 'socket' as const, request })),
    ...injectable.map((request) => ({
      title: `${request.title} (inject)`,
      via: 'inject' as const,
      request,
    })),
    ...raw.map(({ title, raw: bytes }) => ({ title, via: 'raw' as const, raw: bytes })),
  ]
}

/** `inject` takes headers as an object, and delimits bodies itself. */
function isInjectable({ headers = [], framing }: ParityRequest): boolean {
  const names = headers.map(([name]) => name.toLowerCase())
  return framing === undefined && new Set(names).size === names.length
}

/** How many requests are under way at once, so that nothing of one can show in another unseen. */
const LANES = 4

/** Runs `app` on `engine` and asks it everything. */
export async function transcribe(
  engine: Engine,
  app: App,
  exchanges: readonly Exchange[],
): Promise<Transcript> {
  const running = await start(engine, app)
  const answers: Outcome['answer'][] = []
  const drive = async (
    lane: number,
    isMine: (exchange: Exchange, index: number) => boolean,
  ): Promise<void> => {
    for (const [index, exchange] of exchanges.entries()) {
      if (isMine(exchange, index))
        answers[index] = await answerTo(running, exchange, requestId(index), lane)
    }
  }
  await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      drive(lane, ({ via }, index) => via !== 'raw' && index % LANES === lane),
    ),
  )
  // Raw bytes bring no request id, so theirs are counted: one after the other.
  await drive(0, ({ via }) => via === 'raw')
  await running.journal()
  const entries = byRequest(await running.close())
  const outcomes = answers.map((answer, index) => {
    const id = requestId(index)
    const journal = entries.get(id) ?? []
    entries.delete(id)
    return { answer, journal }
  })
  return { outcomes, journal: [...entries.values()].flat() }
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
): Promise<Outcome['answer']> {
  try {
    switch (exchange.via) {
      case 'socket':
        return await running.send(exchange.request, id, lane)
      case 'inject':
        return await running.inject(exchange.request, id)
      case 'raw':
        return { raw: await running.sendRaw(exchange.raw) }
    }
  } catch (error) {
    return { failure: (error as Error).message }
  }
}
