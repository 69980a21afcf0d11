/** Applications that are deployed to other runtimes than Node answer as on Fastify 4.21: `npm run test:targets` asks them. */
import { test } from 'node:test'
import { assertParityByFetch } from '../parity/by-fetch.ts'
import { bunDifferences, bunWords, denoDifferences } from './known-differences.ts'
import { asked } from './rows.ts'
import { deployedBun, deployedDeno } from './servers.ts'

const targets = [
  ['deno', deployedDeno, denoDifferences, undefined],
  ['bun', deployedBun, bunDifferences, bunWords],
] as const

// Their binaries are installed on demand, which takes a while.
const wanted = (process.env['TARGETS'] ?? '').split(',')

for (const [target, engine, differences, words] of targets) {
  for (const [name, expected] of Object.entries(asked[target])) {
    if (!(wanted.includes('all') || wanted.includes(name))) continue
    test(`${name}: deployed to ${target}, it answers like fastify@4.21`, async (t) => {
      const sample = { every: 1, expected, ...(words && { words }) }
      t.diagnostic(`${await assertParityByFetch(engine, name, differences, sample)} requests`)
    })
  }
}
