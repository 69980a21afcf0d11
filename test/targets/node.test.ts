/** Deployed applications answer as on Fastify 4.21: `npm run test:targets` asks all, `npm test` some. */
import { test } from 'node:test'
import { assertParity, runGrid } from '../parity/grid.ts'
import { appNames, deployed, projectNames } from '../support/engines.ts'

const quick = ['commonjs', 'plugin-entry']
const all = [...appNames, ...projectNames]

for (const app of all.filter((name) =>
  (process.env['TARGETS'] ?? quick.join()).split(',').some((one) => one === 'all' || one === name),
)) {
  test(`${app}: deployed to node, it answers like fastify@4.21`, async () => {
    assertParity(deployed, app, await runGrid(deployed, app))
  })
}
