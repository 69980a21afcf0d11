/** The same requests, answered with Node's internal functions and with its public interface alone. */
import { test } from 'node:test'
import { development, type Engine } from '../support/engines.ts'
import { runsAll } from '../support/runs.ts'
import { assertParity, runGrid } from './grid.ts'

const publicInterface: Engine = {
  name: 'public interface',
  flags: async (app) => [
    ...(await development.flags(app)),
    '--import',
    new URL('../support/public-interface.js', import.meta.url).href,
  ],
}

for (const app of runsAll ? ['bookshop', 'extensions', 'post-office'] : ['bookshop']) {
  for (const engine of [development, publicInterface]) {
    test(`${app}: ${engine.name} answers like fastify@4.21`, async () => {
      assertParity(engine, app, await runGrid(engine, app))
    })
  }
}
