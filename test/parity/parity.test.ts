/** One application source, the same requests: our runtime answers as Fastify 4.21 does. */
import { test } from 'node:test'
import { appNames, compiled, development } from '../support/engines.ts'
import { assertParity, runGrid } from './grid.ts'

for (const app of appNames) {
  for (const engine of [development, compiled]) {
    test(`${app}: ${engine.name} answers like fastify@4.21`, async () => {
      assertParity(engine, app, await runGrid(engine, app))
    })
  }
}
