/** Applications deployed to Lambda answer as on Fastify 4.21: all of them in `npm run test:all`, a sample in `npm test`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from '../parity/compare.ts'
import { loadExchanges, report } from '../parity/grid.ts'
import { knownDifferences } from '../parity/known-differences.ts'
import { transcribe } from '../parity/transcript.ts'
import { applicationParts, overSockets } from '../parity/transport.ts'
import { appNamed, appNames, oracle, projectNames } from '../support/engines.ts'
import { lambdaEngine } from '../support/lambda/engine.ts'
import type { Gateway } from '../support/lambda/gateway.ts'
import { gatewayDifferences } from '../support/lambda/known-differences.ts'
import { runsAll } from '../support/runs.ts'

type Run = readonly [app: string, gateway: Gateway, handler: 'handler' | 'streaming']

const quick: readonly Run[] = [['commonjs', 'url', 'streaming']]
const all: readonly Run[] = [
  ...[...appNames, ...projectNames].map((name): Run => [name, 'url', 'handler']),
  ['bookshop', 'rest', 'handler'],
  ['bookshop', 'balancer', 'handler'],
  ['bookshop', 'balancer-multiple', 'streaming'],
  ['post-office', 'http', 'handler'],
  ['post-office', 'http-1.0', 'streaming'],
  ['post-office', 'balancer-multiple', 'streaming'],
]

for (const [name, gateway, handler] of runsAll ? all : quick) {
  test(`${name} in Lambda, ${gateway} events, as ${handler}`, async () => {
    const app = appNamed(name)
    const engine = lambdaEngine(gateway, handler)
    const exchanges = overSockets(await loadExchanges(app))
    const [answered, actual] = await Promise.all([
      transcribe(oracle, app, exchanges),
      transcribe(engine, app, exchanges),
    ])
    const ofRuntime = new Set(
      knownDifferences.filter(({ app }) => app === name).flatMap(({ requests }) => requests),
    )
    const found = compare(exchanges, applicationParts(answered), applicationParts(actual)).filter(
      ({ title }) => !ofRuntime.has(title),
    )
    const known = gatewayDifferences.filter(
      ({ app, gateways }) => app === name && gateways.includes(gateway),
    )
    const unlisted = found.filter(({ title }) => !known.some(({ titles }) => titles.test(title)))
    assert.ok(unlisted.length === 0, report(engine, name, unlisted))
    for (const { titles, reason } of known) {
      assert.ok(
        found.some(({ title }) => titles.test(title)),
        `This does not differ any more: ${reason}`,
      )
    }
  })
}
