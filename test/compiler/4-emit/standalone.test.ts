/**
 * Emitted validators beside the modules that `ajv/dist/standalone` writes, where strings cannot be evaluated: the same verdicts,
 * errors and changed data. `npm run fuzz:standalone` compares more random ones.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { showLosses } from '../../fuzz/standalone/losses.ts'
import { holdToStandalone } from '../../fuzz/standalone/run.ts'
import { fixtureSources, randomSources, suiteSources } from '../../fuzz/standalone/sources.ts'
import { runs } from '../../support/runs.ts'

test('the validators of fixtures/emit', async () => {
  const { differences, schemas } = holdToStandalone(await fixtureSources())
  assert.deepEqual(differences, [])
  assert.ok(schemas >= 8)
})

test('one in six of the JSON Schema Test Suite', () => {
  const { differences, schemas } = holdToStandalone(suiteSources(6))
  assert.deepEqual(differences, [])
  assert.ok(schemas >= 400, `${schemas} schemas`)
})

test('random validators', () => {
  const { numRuns, seed } = runs(150)
  const { differences, schemas, lost } = holdToStandalone(randomSources(numRuns, seed))
  assert.deepEqual(differences, [])
  // What is refused or lost proves little.
  assert.ok(schemas >= numRuns * 0.8, `${schemas} schemas`)
  assert.deepEqual(
    [...lost.keys()].filter((message) => !message.startsWith('CodeGen: "code" for keyword')),
    [],
  )
})

for (const { what, expected, standalone, emitted } of showLosses()) {
  test(`standalone loses ${what}, and we do not`, () => {
    assert.equal(emitted, expected)
    assert.notEqual(standalone, expected)
  })
}
