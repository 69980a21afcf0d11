/**
 * Random applications on the real Fastify answer random requests with the functions of an artifact as without, and find a
 * function for each of their schemas.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from '../../fuzz/bridge.ts'
import { fastifyWithSerializers, fastifyLines } from '../../support/bridged.ts'
import { runs, runsAll } from '../../support/runs.ts'

// Fastify 5 warns about some random options that have moved.
process.removeAllListeners('warning')

for (const version of runsAll ? ['6.1.1', '6.4.0', '7.0.1'] : []) {
  test(`random requests to a random application on fastify@5 with fast-json-stringify ${version}`, async () => {
    const { numRuns, seed } = runs(80)
    const fastify = fastifyWithSerializers('fastify@5', version)
    assert.deepEqual(await differences('fastify@5', seed, numRuns, fastify), [])
  })
}

for (const line of fastifyLines) {
  for (const place of runsAll ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : [0]) {
    test(`random requests to random application ${place} on ${line}`, async () => {
      const { numRuns, seed } = runs(80)
      assert.deepEqual(await differences(line, seed + place, numRuns), [])
    })
  }
}
