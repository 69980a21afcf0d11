/**
 * Compares emitted validators with those compiled in process, for random schemas and values that nearly fit, and again with code
 * generation disabled; for a line of Fastify, with those that the newest Fastify of that line compiles. `npm run fuzz` runs more cases.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { describeFailure } from '../../fuzz/round.ts'
import { fuzz } from '../../fuzz/run.ts'
import { runs } from '../../support/runs.ts'

for (const [line, kind, cases] of [
  [undefined, 'validator', 3000],
  [undefined, 'serializer', 2500],
  ['fastify@4', 'validator', 600],
  ['fastify@4', 'serializer', 600],
  ['fastify@5', 'validator', 600],
  ['fastify@5', 'serializer', 600],
] as const) {
  test(`random ${kind}s for ${line ?? 'framework'}`, () => {
    const { numRuns, seed } = runs(cases)
    const { failures, compiled, refused } = fuzz({ cases: numRuns, seed, kind, line })
    assert.equal(failures.map(describeFailure).join('\n\n'), '')
    // Schemas that both refuse prove little.
    assert.ok(compiled > refused, `${compiled} schemas compiled, ${refused} refused`)
  })
}
