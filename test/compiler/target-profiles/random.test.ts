/** Functions for a line of Fastify answer as those that the newest Fastify of that line compiles itself. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { describeFailure } from '../../fuzz/round.ts'
import { fuzz } from '../../fuzz/run.ts'
import { runs } from '../../support/runs.ts'

for (const line of ['fastify@4', 'fastify@5'] as const) {
  for (const [kind, cases] of [
    ['validator', 600],
    ['serializer', 600],
  ] as const) {
    test(`random ${kind}s for ${line}`, () => {
      const { numRuns, seed } = runs(cases)
      const { failures, compiled, refused } = fuzz({ cases: numRuns, seed, kind, line })
      assert.equal(failures.map(describeFailure).join('\n\n'), '')
      // Schemas that both refuse prove little.
      assert.ok(compiled > refused, `${compiled} schemas compiled, ${refused} refused`)
    })
  }
}
