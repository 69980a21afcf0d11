/** Our router beside find-my-way 7.7 itself, doing the same things. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { makePeer } from './peer.ts'
import { programs } from './programs.ts'
import { makeOurs as make } from './find-my-way.ts'
import { run } from './transcript.ts'
import { runs } from '../../support/runs.ts'

for (const withConstraints of [false, true]) {
  const kind = withConstraints ? 'with' : 'without'
  test(`any program ${kind} constraints runs as on find-my-way`, () => {
    fc.assert(
      fc.property(programs(withConstraints), (program) => {
        assert.deepEqual(run(make, program), run(makePeer, program))
      }),
      runs(1000),
    )
  })
}
