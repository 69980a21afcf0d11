/** Applications that are deployed to other runtimes than Node answer as on Fastify 4.21. */
import { test } from 'node:test'
import { assertParityByFetch } from '../parity/by-fetch.ts'
import { bunDifferences, bunWords, denoDifferences } from './known-differences.ts'
import { asked } from './rows.ts'
import { deployedBun, deployedDeno } from './servers.ts'

const targets = [
  ['deno', deployedDeno, denoDifferences, undefined],
  ['bun', deployedBun, bunDifferences, bunWords],
] as const

for (const [target, engine, differences, words] of targets) {
  for (const [name, expected] of Object.entries(asked[target])) {
    test(`${name}: deployed to ${target}, it answers like fastify@4.21`, async (t) => {
      const sample = { every: 1, expected, ...(words && { words }) }
      t.diagnostic(`${await assertParityByFetch(engine, name, differences, sample)} requests`)
    })
  }
}
