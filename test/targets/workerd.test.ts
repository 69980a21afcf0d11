/** Applications that are deployed to workerd answer as on Fastify 4.21: all of them in `npm run test:all`, a sample in `npm test`. */
import { test } from 'node:test'
import { assertParityByFetch } from '../parity/by-fetch.ts'
import type { KnownDifference } from '../parity/known-differences.ts'
import { workerdDifferences } from './known-differences.ts'
import { asked } from './rows.ts'
import { deployedModules, deployedWorkerd, deployedWrangler } from './workerd.ts'
import { runsAll } from '../support/runs.ts'

const quick = ['post-office']

for (const [name, expected] of Object.entries(asked.workerd)) {
  if (!runsAll && !quick.includes(name)) continue
  test(`${name}: deployed to workerd, it answers like fastify@4.21`, async (t) => {
    const count = await assertParityByFetch(deployedWorkerd, name, workerdDifferences, {
      every: 1,
      expected,
    })
    t.diagnostic(`${count} requests`)
  })
}

for (const [name, every, expected] of [
  ['commonjs', 1, 190],
  ['bookshop', 5, 1000],
  ['museum', 5, 700],
] as const) {
  if (!runsAll && name !== 'commonjs') continue
  test(`${name}: deployed to workerd in modules, it answers like fastify@4.21`, async (t) => {
    const sample = { every, expected }
    const count = await assertParityByFetch(deployedModules, name, workerdDifferences, sample)
    t.diagnostic(`${count} requests`)
  })
}

/** The server for development has a Worker of its own in front, which resolves the dots of a path. */
const wranglerDifferences: readonly KnownDifference[] = [
  ...workerdDifferences,
  {
    app: 'bookshop',
    reason: '`wrangler dev` resolves the dots of a path, as `URL` does.',
    requests: ['dots in the path'],
  },
]

if (runsAll) {
  for (const [name, every, expected] of [
    ['bookshop', 5, 1000],
    ['plugin-entry', 1, 120],
  ] as const) {
    test(`${name}: deployed to wrangler dev, it answers like fastify@4.21`, async (t) => {
      const sample = { every, expected }
      const count = await assertParityByFetch(deployedWrangler, name, wranglerDifferences, sample)
      t.diagnostic(`${count} requests`)
    })
  }
}
