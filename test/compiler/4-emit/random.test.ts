/**
 * Compares emitted validators with those compiled in process, for random schemas and values that nearly fit, and again with code
 * generation disabled. `npm run fuzz` runs more cases.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { describeFailure } from '../../fuzz/round.ts'
import { fuzz } from '../../fuzz/run.ts'
import { runs } from '../../support/runs.ts'

for (const [kind, cases] of [
  ['validator', 3000],
  ['serializer', 2500],
] as const) {
  test(`random ${kind}s`, () => {
    const { numRuns, seed } = runs(cases)
    const { failures, compiled, refused } = fuzz({ cases: numRuns, seed, kind })
    assert.equal(failures.map(describeFailure).join('\n\n'), '')
    // Schemas that both refuse prove little.
    assert.ok(compiled > refused, `${compiled} schemas compiled, ${refused} refused`)
  })
}
