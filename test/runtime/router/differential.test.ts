/** Our router beside find-my-way 7.7 itself, doing the same things. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { createRouter, type RouterOptions } from '../../../runtime/router/index.ts'
import { makePeer } from './peer.ts'
import { programs } from './programs.ts'
import { type MakeRouter, run } from './transcript.ts'
import { runs } from '../../support/runs.ts'

const make = createRouter as unknown as MakeRouter

/** Sorts each route in at once, where others wait for a look-up. */
const makePrepared: MakeRouter = (options) => {
  const router = createRouter(options as RouterOptions)
  const { on } = router
  router.on = (...args: unknown[]): void => {
    Reflect.apply(on, router, args)
    router.prepare(0)
  }
  return router as unknown as ReturnType<MakeRouter>
}

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

  test(`any program ${kind} constraints runs as on find-my-way where routes are sorted in at once`, () => {
    fc.assert(
      fc.property(programs(withConstraints), (program) => {
        assert.deepEqual(run(makePrepared, program), run(makePeer, program))
      }),
      runs(300),
    )
  })
}
