/** Deployed applications answer as on Fastify 4.21: all of them in `npm run test:all`, a sample in `npm test`. */
import { test } from 'node:test'
import { assertParity, runGrid } from '../parity/grid.ts'
import { appNames, deployed, projectNames } from '../support/engines.ts'
import { runsAll } from '../support/runs.ts'

for (const app of runsAll ? [...appNames, ...projectNames] : ['commonjs', 'plugin-entry']) {
  test(`${app}: deployed to node, it answers like fastify@4.21`, async () => {
    assertParity(deployed, app, await runGrid(deployed, app))
  })
}
