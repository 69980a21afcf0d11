/** Requests that an earlier build has evaluated aren't evaluated again, and the outcomes are those of a sandbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CachedProcess, type OutcomeCache } from '../../../compiler/sandbox/cached-process.ts'
import type { EvaluationRequest, Outcome } from '../../../compiler/sandbox/protocol.ts'
import type { Evaluator, Reply } from '../../../compiler/sandbox/sandbox-process.ts'
import { runs } from '../../support/runs.ts'

/** Its outcomes depend on all requests so far, as those of a process that keeps state. */
function createProcess(late: number): Evaluator & { readonly seen: number[] } {
  const seen: number[] = []
  return {
    seen,
    run({ roots: [root] }: EvaluationRequest): Reply {
      const value = (root as { readonly value: number }).value
      seen.push(value)
      const isLate = seen.includes(late)
      const outcome: Outcome = { type: 'plain', value: [...seen], holes: [] }
      return { outcomes: [isLate ? { ...outcome, isLate } : outcome] }
    },
    start: () => undefined,
    close: () => undefined,
  }
}

/** Sends all requests to one process, with the cache that processes before it have filled. */
function repliesTo(requests: readonly number[], cache: OutcomeCache, late: number) {
  const process = createProcess(late)
  const cached = new CachedProcess(process, cache)
  const replies = requests.map((value) =>
    cached.run({ definitions: [], steps: [], roots: [{ t: 'value', value }], wants: 'plain' }),
  )
  return { replies, seen: process.seen }
}

function createCache(): OutcomeCache {
  const outcomes = new Map<string, Uint8Array>()
  return {
    isEmpty: () => outcomes.size === 0,
    get: (key) => outcomes.get(key),
    put: (key, value) => void outcomes.set(key, value),
  }
}

test('replies are those of a process that gets every request; a build with the same requests needs no process', () => {
  const LATE = 3
  const requests = fc.array(fc.nat(LATE), { maxLength: 6 })
  const property = fc.property(fc.array(requests, { maxLength: 8 }), requests, (builds, last) => {
    const cache = createCache()
    for (const one of builds) repliesTo(one, cache, LATE)
    const expected = repliesTo(last, createCache(), LATE)
    const first = repliesTo(last, cache, LATE)
    assert.deepEqual(first.replies, expected.replies)
    const again = repliesTo(last, cache, LATE)
    assert.deepEqual(again.replies, expected.replies)
    // A late outcome isn't cached.
    assert.deepEqual(again.seen, last.includes(LATE) ? last : [])
  })
  fc.assert(property, runs(300))
})
