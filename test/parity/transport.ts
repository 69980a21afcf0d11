/** Removes everything from answers that comes from the platform and not from the application, on both sides. */
import type { Exchange, Transcript } from './transcript.ts'
import type { Answer } from '../support/wire.ts'

/** Each server keeps connections and delimits streams its own way; workerd leaves the date to the proxy in front of it. */
const transportHeaders = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

/** The suffix of JSON errors in newer versions of V8, as in workerd. */
const position = / \(line \d+ column \d+\)/g

/** The exchanges that `fetch` can express: no injected ones, and only valid HTTP. */
export function overSockets(exchanges: readonly Exchange[]): SocketExchange[] {
  return exchanges.filter((exchange) => exchange.via === 'socket') as SocketExchange[]
}

export type SocketExchange = Extract<Exchange, { readonly via: 'socket' | 'inject' }>

/** A transcript with headers in the order of their names, in lower case, without those of the transport and `withoutHeaders`, and without `words`. */
export function applicationParts(
  { outcomes, journal }: Transcript,
  words: RegExp = position,
  withoutHeaders: readonly string[] = [],
): Transcript {
  const left = new Set([...transportHeaders, ...withoutHeaders])
  return {
    outcomes: outcomes.map(({ answer, journal }) => ({
      answer: 'headers' in answer ? withoutTransport(answer, words, left) : answer,
      journal: without(words, journal),
    })),
    journal: without(words, journal),
  }
}

function withoutTransport(
  { headers, body, ...head }: Answer,
  words: RegExp,
  left: ReadonlySet<string>,
): Answer {
  const length = String(body.length)
  return {
    ...head,
    headers: headers
      .map(([name, value]): [string, string] => [
        name.toLowerCase(),
        // The length of a body with such a suffix differs as well.
        value === length && body !== '' ? '<length of the body>' : value,
      ])
      .filter(([name]) => !left.has(name))
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    body: body.replace(words, ''),
  }
}

function without<T>(words: RegExp, journal: T): T {
  return JSON.parse(JSON.stringify(journal).replace(words, '')) as T
}
