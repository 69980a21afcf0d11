import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import fastify from 'fastify'
import framework from 'framework'
import { programs, type Step } from '../../support/lifecycle-program.ts'
import {
  catchEscaped,
  observe,
  type Factory,
  type Observation,
} from '../../support/lifecycle-run.ts'
import { runs } from '../../support/runs.ts'

/**
 * Matches where Fastify fails by an error in its own code because an answer fails for the third time, and where an error would end its
 * process (`inject` rejects with it if it is thrown at once). Ours answers.
 */
const accident = /cb is not a function|^escaped|^failed (?!undefined)/

function withoutAccidents(observation: Observation, oracle: Observation): Observation {
  return observation.filter((_chapter, i) => !oracle[i]?.some((line) => accident.test(line)))
}

/**
 * If a request is answered twice, Fastify 4.21 gives the error of the second answer to some hooks and error handlers, after the first
 * was sent. Only the answers have to agree.
 */
function withoutSecondAnswers(observation: Observation, oracle: Observation): Observation {
  return observation.map((chapter, i) =>
    oracle[i]?.some((line) => line.includes('ERR_HTTP_HEADERS_SENT')) ? chapter.slice(-1) : chapter,
  )
}

/** A duplicate route has a code of its own, as on Fastify 5, also where the router of Fastify 4.21 refuses it. */
function withoutRouterError(observation: Observation): Observation {
  return observation.map((chapter) =>
    chapter.map((line) =>
      line.replace(/refused \S+: (Method '\w+' already declared for route) '.*$/, 'refused: $1'),
    ),
  )
}

/** Fastify 4.21 leaves out the 404 handler's own hooks if a route was declared before it and calls it. Ours doesn't, as on Fastify 5. */
function withoutMissedHooks(steps: readonly Step[]): readonly Step[] {
  if (!/"(?:end|errorHandler)":"notFound"/.test(JSON.stringify(steps))) return steps
  return steps.map((step) => {
    if (step.kind === 'context') return { ...step, steps: withoutMissedHooks(step.steps) }
    return step.kind === 'notFound' ? { ...step, hooks: [] } : step
  })
}

function assertNoEscape(observation: Observation): void {
  for (const chapter of observation) {
    assert.ok(!chapter.some((line) => line.startsWith('escaped')), chapter.join('\n'))
  }
}

test('any application of hooks and handlers answers as on Fastify, in the same order', async (t) => {
  const escaped = catchEscaped(t)
  const property = fc.asyncProperty(programs.map(withoutMissedHooks), async (steps) => {
    const expected = await observe(fastify as unknown as Factory, steps, escaped)
    const actual = await observe(framework as unknown as Factory, steps, escaped)
    assertNoEscape(actual)
    const [own, oracle] = [actual, expected].map((one) =>
      withoutRouterError(withoutAccidents(withoutSecondAnswers(one, expected), expected)),
    )
    assert.deepEqual(own, oracle)
  })
  await fc.assert(property, runs(150))
})
