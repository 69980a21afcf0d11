/**
 * Random applications with schemas of all parts, built ahead of time and served where code generation is refused: they answer
 * random requests as on the real Fastify. `npm run fuzz:requests` sends more.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { accepted } from '../fuzz/requests/accepted.ts'
import { randomPlan } from '../fuzz/requests/applications.ts'
import { randomRequests } from '../fuzz/requests/exchanges.ts'
import { describeFailure, differences } from '../fuzz/requests/round.ts'
import { fuzzRequests } from '../fuzz/requests/run.ts'
import { write } from '../fuzz/requests/served.ts'
import { broken } from '../support/engines.ts'
import { runs } from '../support/runs.ts'

test('random applications answer random requests as on Fastify', async () => {
  const { numRuns, seed } = runs(200)
  const { failures } = await fuzzRequests({ cases: numRuns, seed, each: 200 })
  assert.equal(failures.map(describeFailure).join('\n\n'), '')
})

test('a deliberately broken server differs', async () => {
  const plan = await accepted(randomPlan(1))
  const found = await differences(write(plan), randomRequests(plan, 100, 1), broken)
  assert.ok(found.some(({ sent, kind }) => sent !== undefined && kind === undefined))
})
