/** Applications that are deployed to workerd answer as on Fastify 4.21: `npm run test:targets` asks all, `npm test` some. */
import { test } from 'node:test'
import { assertParityByFetch } from '../parity/by-fetch.ts'
import { workerdDifferences } from '../runtime/adapter/workerd/known-differences.ts'
import { deployedWorkerd } from './workerd.ts'

/** How many requests there are at least. */
const all = {
  bookshop: 4500,
  clinic: 3000,
  commonjs: 190,
  extensions: 750,
  harbour: 3400,
  'module-level': 370,
  museum: 3200,
  'plugin-entry': 120,
  'post-office': 540,
  railway: 2600,
} as const

const isWhole = process.env['TARGETS'] === 'all'
const quick = ['commonjs', 'plugin-entry']

for (const [name, expected] of Object.entries(all)) {
  if (!isWhole && !quick.includes(name)) continue
  test(`${name}: deployed to workerd, it answers like fastify@4.21`, async (t) => {
    const count = await assertParityByFetch(deployedWorkerd, name, workerdDifferences, {
      every: 1,
      expected,
    })
    t.diagnostic(`${count} requests`)
  })
}
