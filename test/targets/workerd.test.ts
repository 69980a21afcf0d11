/** Applications that are deployed to workerd answer as on Fastify 4.21: all of them in `npm run test:all`, a sample in `npm test`. */
import { testByFetch } from '../parity/by-fetch.ts'
import { because, type KnownDifference } from '../parity/known-differences.ts'
import { workerdDifferences } from './known-differences.ts'
import { tested } from './rows.ts'
import { deployedModules, deployedWorkerd, deployedWrangler } from './workerd.ts'
import { runsAll } from '../support/runs.ts'

const quick = ['post-office']

for (const [name, expected] of Object.entries(tested.workerd)) {
  if (!runsAll && !quick.includes(name)) continue
  testByFetch(deployedWorkerd, name, workerdDifferences, { expected })
}

for (const [name, every, expected] of [
  ['commonjs', 1, 190],
  ['bookshop', 5, 1000],
  ['museum', 5, 700],
] as const) {
  if (!runsAll && name !== 'commonjs') continue
  testByFetch(deployedModules, name, workerdDifferences, { every, expected })
}

/** The server for development has a Worker of its own in front, which resolves the dots of a path. */
const wranglerDifferences: readonly KnownDifference[] = [
  ...workerdDifferences,
  ...because('`wrangler dev` resolves the dots of a path, as `URL` does.', {
    bookshop: ['dots in the path'],
  }),
]

if (runsAll) {
  testByFetch(deployedWrangler, 'bookshop', wranglerDifferences, { every: 5, expected: 1000 })
  testByFetch(deployedWrangler, 'plugin-entry', wranglerDifferences, { expected: 120 })
}
