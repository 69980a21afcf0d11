/** Slices that an earlier build has run are not run again; what the scan hears is what a process would say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Outcome, Program } from '../../../compiler/1-scan/sandbox/protocol.ts'
import { CachingRunner } from '../../../compiler/1-scan/sandbox/caching-runner.ts'
import type { ResultCache } from '../../../compiler/1-scan/sandbox/caching-runner.ts'
import type { Answer } from '../../../compiler/1-scan/sandbox/runner.ts'
import { runs } from '../../support/runs.ts'

/** What it answers depends on all that it was asked, as a process that keeps what slices have done. */
function createProcess(late: number): {
  asked: number[]
  run(program: Program): Answer
  start(): void
  close(): void
} {
  const asked: number[] = []
  return {
    asked,
    run({ roots: [root] }) {
      const value = (root as { readonly value: number }).value
      asked.push(value)
      const isLate = asked.includes(late)
      const outcome: Outcome = { type: 'plain', value: [...asked], holes: [] }
      return { outcomes: [isLate ? { ...outcome, isLate } : outcome] }
    },
    start: () => undefined,
    close: () => undefined,
  }
}

/** One after the other, each in a process of its own, with what those before it have left. */
function answersOf(
  questions: readonly number[],
  known: ResultCache,
  late: number,
): { answers: Answer[]; asked: readonly number[] } {
  const process = createProcess(late)
  const runner = new CachingRunner(process, known)
  const answers = questions.map((value) =>
    runner.run({ definitions: [], steps: [], roots: [{ t: 'value', value }], wants: 'plain' }),
  )
  return { answers, asked: process.asked }
}

function createKnown(): ResultCache {
  const known = new Map<string, Uint8Array>()
  return {
    isEmpty: () => known.size === 0,
    get: (question) => known.get(question),
    put: (question, answer) => void known.set(question, answer),
  }
}

test('answers are those of a process that is asked everything; a build that asks the same asks none', () => {
  const LATE = 3
  const questions = fc.array(fc.nat(LATE), { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(questions, { maxLength: 8 }), questions, (builds, last) => {
      const known = createKnown()
      for (const one of builds) answersOf(one, known, LATE)
      const expected = answersOf(last, createKnown(), LATE)
      const first = answersOf(last, known, LATE)
      assert.deepEqual(first.answers, expected.answers)
      const again = answersOf(last, known, LATE)
      assert.deepEqual(again.answers, expected.answers)
      // What had to be given up is tried again.
      assert.deepEqual(again.asked, last.includes(LATE) ? last : [])
    }),
    runs(300),
  )
})
