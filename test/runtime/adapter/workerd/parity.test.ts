/** Applications in the real workerd answer as Fastify 4.21 does on Node. */
import { test } from 'node:test'
import { assertParityByFetch } from '../../../parity/by-fetch.ts'
import { workerd } from './engine.ts'
import { workerdDifferences } from './known-differences.ts'

/** How many of the variations of one request are asked: all of them take a minute. */
const EVERY = 6

for (const [name, expected] of [
  ['bookshop', 900],
  ['extensions', 130],
  ['post-office', 100],
] as const) {
  test(`${name} in workerd answers like fastify@4.21`, async (t) => {
    const count = await assertParityByFetch(workerd, name, workerdDifferences, {
      every: EVERY,
      expected,
    })
    t.diagnostic(`${count} requests`)
  })
}
