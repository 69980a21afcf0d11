/** Applications in the real workerd answer as Fastify 4.21 does on Node. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from '../../../parity/compare.ts'
import { assertParity, loadExchanges } from '../../../parity/grid.ts'
import { knownDifferences } from '../../../parity/known-differences.ts'
import { transcribe } from '../../../parity/transcript.ts'
import type { Exchange } from '../../../parity/transcript.ts'
import { appNamed, oracle } from '../../../support/engines.ts'
import { workerd } from './engine.ts'
import { workerdDifferences } from './known-differences.ts'
import { applicationParts, overSockets } from './transport.ts'

/** What differs on Node as well. */
const ofRuntime = knownDifferences.map(({ requests, ...entry }) => ({
  ...entry,
  requests: requests.filter((title) => !title.endsWith(' (inject)')),
}))

/** How many of the variations of one request are asked: all of them take a minute. */
const EVERY = 6

for (const [name, expected] of [
  ['bookshop', 900],
  ['extensions', 130],
  ['post-office', 100],
] as const) {
  test(`${name} in workerd answers like fastify@4.21`, async (t) => {
    const app = appNamed(name)
    const known = [...workerdDifferences, ...ofRuntime].filter(({ app }) => app === name)
    const titles = new Set(known.flatMap(({ requests }) => requests))
    const exchanges = overSockets(await loadExchanges(app)).filter(
      (exchange, index) => index % EVERY === 0 || isSpecial(exchange) || titles.has(exchange.title),
    )
    assert.ok(exchanges.length >= expected, `${exchanges.length} requests`)
    const [answered, actual] = await Promise.all([
      transcribe(oracle, app, exchanges),
      transcribe(workerd, app, exchanges),
    ])
    const differences = compare(exchanges, applicationParts(answered), applicationParts(actual))
    assertParity(workerd, name, { exchanges, expected: answered, differences }, known)
    t.diagnostic(`${exchanges.length} requests, ${differences.length} known differences`)
  })
}

/** Not one of many variations: the valid requests themselves, and those that are none of a route's. */
function isSpecial({ title }: Exchange): boolean {
  return title.endsWith(': valid') || !title.includes(': ')
}
