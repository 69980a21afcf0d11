/** Compares the answers of a platform that passes `Request` objects with those of Fastify 4.21 on Node. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Engine, appNamed, oracle } from '../support/engines.ts'
import type { ParityRequest } from '../support/request.ts'
import { compare } from './compare.ts'
import { assertParity, loadExchanges } from './grid.ts'
import { type KnownDifference, knownDifferences } from './known-differences.ts'
import { type Exchange, transcribe } from './transcript.ts'
import { applicationParts, overSockets } from './transport.ts'

/** Differences that exist on Node as well. */
const ofRuntime = knownDifferences.map(({ requests, ...entry }) => ({
  ...entry,
  requests: requests.filter((title) => !title.endsWith(' (inject)')),
}))

interface Sample {
  /** Sends every nth variation of a request, by default all. */
  readonly every?: number
  /** Minimum number of requests. */
  readonly expected: number
  /** Matches messages that engines word differently. */
  readonly words?: RegExp
  /** Selects the requests that the platform can express; by default all. */
  readonly canSend?: (request: ParityRequest) => boolean
  /** Headers that answers cannot have there. */
  readonly withoutHeaders?: readonly string[]
}

/** Tests with the requests that `fetch` can express. Fails as `assertParity` does. */
export function testByFetch(
  engine: Engine,
  name: string,
  differences: readonly KnownDifference[],
  sample: Sample,
): void {
  test(`${name} on ${engine.name} answers like fastify@4.21`, async (t) => {
    t.diagnostic(`${await compareByFetch(engine, name, differences, sample)} requests`)
  })
}

async function compareByFetch(
  engine: Engine,
  name: string,
  differences: readonly KnownDifference[],
  { every = 1, expected, words, canSend, withoutHeaders = [] }: Sample,
): Promise<number> {
  const app = appNamed(name)
  const sendable = overSockets(await loadExchanges(app)).filter(
    ({ request }) => canSend === undefined || canSend(request),
  )
  const sent = new Set(sendable.map(({ title }) => title))
  const known = [...differences, ...ofRuntime.map((entry) => among(sent, entry))].filter(
    ({ app }) => app === name,
  )
  const titles = new Set(known.flatMap(({ requests }) => requests))
  const exchanges = sendable.filter(
    (exchange, index) => index % every === 0 || isSpecial(exchange) || titles.has(exchange.title),
  )
  assert.ok(exchanges.length >= expected, `${exchanges.length} requests`)
  const [answered, actual] = await Promise.all([
    transcribe(oracle, app, exchanges),
    transcribe(engine, app, exchanges),
  ])
  const found = compare(
    exchanges,
    applicationParts(answered, words, withoutHeaders),
    applicationParts(actual, words, withoutHeaders),
  )
  assertParity(engine, name, { exchanges, expected: answered, differences: found }, known)
  return exchanges.length
}

/** Reduces a known difference to the requests that can be sent. */
function among(sent: ReadonlySet<string>, entry: KnownDifference): KnownDifference {
  return { ...entry, requests: entry.requests.filter((title) => sent.has(title)) }
}

/** Returns true for requests that aren't variations, and for those outside of any route. */
function isSpecial({ title }: Exchange): boolean {
  return title.endsWith(': valid') || !title.includes(': ')
}
