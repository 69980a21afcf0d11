import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import fastify from 'fastify'
import framework from 'framework'
import { programs } from '../../support/lifecycle-program.ts'
import {
  catchEscaped,
  observe,
  type Factory,
  type Observation,
} from '../../support/lifecycle-run.ts'
import { runs } from '../../support/runs.ts'

/**
 * Where Fastify trips over its own stack when an answer fails for the third time, and where an error would end its process
 * (`inject` rejects with it when it comes at once). Ours answers.
 */
const accident = /cb is not a function|^escaped|^failed (?!undefined)/

function withoutAccidents(observation: Observation, oracle: Observation): Observation {
  return observation.filter((_chapter, i) => !oracle[i]?.some((line) => accident.test(line)))
}

/** A duplicate route has a code of its own, as on Fastify 5, also where the router of Fastify 4.21 refuses it. */
function withoutRouterError(observation: Observation): Observation {
  return observation.map((chapter) =>
    chapter.map((line) =>
      line.replace(/refused \S+: (Method '\w+' already declared for route) '.*$/, 'refused: $1'),
    ),
  )
}

function assertNoEscape(observation: Observation): void {
  for (const chapter of observation) {
    assert.ok(!chapter.some((line) => line.startsWith('escaped')), chapter.join('\n'))
  }
}

test('any application of hooks and handlers answers as on Fastify, in the same order', async (t) => {
  const escaped = catchEscaped()
  t.after(() => escaped.restore())
  await fc.assert(
    fc.asyncProperty(programs, async (steps) => {
      const expected = await observe(fastify as unknown as Factory, steps, escaped)
      const actual = await observe(framework as unknown as Factory, steps, escaped)
      assertNoEscape(actual)
      assert.deepEqual(
        withoutRouterError(withoutAccidents(actual, expected)),
        withoutRouterError(withoutAccidents(expected, expected)),
      )
    }),
    runs(150),
  )
})
