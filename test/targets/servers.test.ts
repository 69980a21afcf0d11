/** Applications that are deployed to other runtimes than Node answer as on Fastify 4.21: `npm run test:targets` asks them. */
import { test } from 'node:test'
import { assertParityByFetch } from '../parity/by-fetch.ts'
import { bunDifferences, bunWords, denoDifferences } from './known-differences.ts'
import { deployedBun, deployedDeno } from './servers.ts'

/** How many requests there are at least. */
const apps = {
  bookshop: 4500,
  clinic: 3000,
  commonjs: 190,
  extensions: 750,
  harbour: 3400,
  'module-level': 370,
  museum: 3200,
  'plugin-entry': 120,
  'plugins/csrf': 30,
  'post-office': 540,
  railway: 2600,
} as const

const targets = [
  ['deno', deployedDeno, denoDifferences, undefined],
  ['bun', deployedBun, bunDifferences, bunWords],
] as const

// Their binaries are installed on demand, which takes a while.
const wanted = (process.env['TARGETS'] ?? '').split(',')

for (const [target, engine, differences, words] of targets) {
  for (const [name, expected] of Object.entries(apps)) {
    if (!(wanted.includes('all') || wanted.includes(name))) continue
    test(`${name}: deployed to ${target}, it answers like fastify@4.21`, async (t) => {
      const sample = { every: 1, expected, ...(words && { words }) }
      t.diagnostic(`${await assertParityByFetch(engine, name, differences, sample)} requests`)
    })
  }
}
