/** An application with twenty plugins, deployed to other runtimes than Node. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, type Difference } from '../parity/compare.ts'
import { loadExchanges, report } from '../parity/grid.ts'
import { knownDifferences } from '../parity/known-differences.ts'
import { type Transcript, transcribe } from '../parity/transcript.ts'
import { applicationParts, overSockets } from '../parity/transport.ts'
import { appNamed, oracle } from '../support/engines.ts'
import { bunWords } from './known-differences.ts'
import { bunWays, denoWays, type PlatformWay, workerdWays } from './platform-ways.ts'
import { deployedBun, deployedDeno } from './servers.ts'
import { deployedWorkerd } from './workerd.ts'

/** Newer versions of V8 than Node 20 has say more of what is wrong with JSON, and workerd has other classes of errors. */
const newWords =
  / \(line \d+ column \d+\)|Unexpected end of JSON input|Expected ':' after property name in JSON at position \d+|(?:Type)?Error(?=","message":"Premature close")/g

const targets = [
  [deployedDeno, denoWays, newWords],
  [deployedBun, bunWays, bunWords],
  [deployedWorkerd, workerdWays, newWords],
] as const

const app = appNamed('plugins')
const exchanges = overSockets(await loadExchanges(app))
const titles = knownDifferences.filter((one) => one.app === app.name).flatMap((one) => one.requests)
const ofRuntime = new Set(titles)
let answered: Promise<Transcript> | undefined

for (const [engine, ways, words] of targets) {
  test(`plugins: ${engine.name}, it answers like fastify@4.21`, async (t) => {
    answered ??= transcribe(oracle, app, exchanges)
    const [expected, actual] = [await answered, await transcribe(engine, app, exchanges)]
    const differences = (allowed: readonly PlatformWay[]): Difference[] => {
      const sides = [expected, actual].map((one) => without(allowed, applicationParts(one, words)))
      return compare(exchanges, sides[0] as Transcript, sides[1] as Transcript).filter(
        ({ title }) =>
          !ofRuntime.has(title) &&
          !allowed.some((way) => 'titles' in way && way.titles.test(title)),
      )
    }
    const unlisted = differences(ways)
    assert.ok(unlisted.length === 0, report(engine, app.name, unlisted))
    for (const way of ways) {
      const others = ways.filter((one) => one !== way)
      assert.notEqual(differences(others).length, 0, `It does not differ any more: ${way.reason}`)
    }
    t.diagnostic(`${exchanges.length} requests`)
  })
}

function without(ways: readonly PlatformWay[], { journal, outcomes }: Transcript): Transcript {
  const parts = ways.flatMap((way) => ('without' in way ? [way.without] : []))
  return {
    journal,
    outcomes: outcomes.map((outcome) => ({
      ...outcome,
      answer:
        'headers' in outcome.answer
          ? parts.reduce((answer, part) => part(answer), outcome.answer)
          : outcome.answer,
    })),
  }
}
