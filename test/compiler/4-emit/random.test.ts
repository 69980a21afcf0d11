/**
 * Random schemas over all keywords with values that nearly fit: emitted against compiled in process, and again where
 * code generation is refused. `npm run fuzz` runs more of the same.
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
    // What both refuse proves little.
    assert.ok(compiled > refused, `${compiled} schemas compiled, ${refused} refused`)
  })
}
