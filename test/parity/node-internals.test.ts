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

const all = ['bookshop', 'extensions', 'post-office']
for (const [engine, apps] of [
  [development, runsAll ? all : ['bookshop']],
  [publicInterface, runsAll ? all : ['post-office']],
] as const) {
  for (const app of apps) {
    test(`${app}: ${engine.name} answers like fastify@4.21`, async () => {
      assertParity(engine, app, await runGrid(engine, app))
    })
  }
}
