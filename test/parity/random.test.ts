/**
 * Random applications with schemas of all parts, built ahead of time and served where code generation is refused: they answer
 * random requests as on the real Fastify. `npm run fuzz:requests` asks more.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { accepted } from '../fuzz/requests/accepted.ts'
import { randomPlan } from '../fuzz/requests/applications.ts'
import { describeFailure } from '../fuzz/requests/counter-example.ts'
import { randomAsks } from '../fuzz/requests/exchanges.ts'
import { differences } from '../fuzz/requests/round.ts'
import { fuzzRequests } from '../fuzz/requests/run.ts'
import { routesOf, type Plan } from '../fuzz/requests/plan.ts'
import { write } from '../fuzz/requests/served.ts'
import { shrinkPlan, smallerRequests } from '../fuzz/requests/shrink.ts'
import { broken } from '../support/engines.ts'
import { runs } from '../support/runs.ts'

test('random applications answer random requests as on Fastify', async () => {
  const { numRuns, seed } = runs(500)
  const { failures } = await fuzzRequests({ cases: numRuns, seed, each: 250 })
  assert.equal(failures.map(describeFailure).join('\n\n'), '')
})

test('what is broken on purpose is seen', async () => {
  const plan = await accepted(randomPlan(1))
  const found = await differences(write(plan), randomAsks(plan, 100, 1), broken)
  assert.ok(found.some(({ ask, kind }) => ask !== undefined && kind === undefined))
})

test('a counter-example is made small', async () => {
  const fails = async (smaller: Plan): Promise<boolean> =>
    JSON.stringify(smaller).includes('"format"')
  const plan = randomPlan(1)
  assert.ok(await fails(plan))
  const small = await shrinkPlan(plan, fails, 5000)
  const [placed, ...others] = routesOf(small.root)
  const texts = placed?.route.parts.map(({ schema }) => JSON.stringify(schema)) ?? []
  const shared = small.root.schemas.map((schema) => JSON.stringify(schema))
  assert.equal([...texts, ...shared].filter((text) => text.includes('"format"')).length, 1)
  assert.deepEqual([others, small.options, small.root.traits], [[], {}, []])
})

test('requests are made small', () => {
  const request = { title: '', method: 'POST', target: '/a?b=1&c', body: '{"d":[1]}' }
  const smaller = smallerRequests({ ...request, headers: [['e', '1']] })
  assert.deepEqual(
    smaller.map(({ target, headers, body }) => [target, headers?.length, body]),
    [
      ['/a?b=1&c', 0, '{"d":[1]}'],
      ['/a?c', 1, '{"d":[1]}'],
      ['/a?b=1', 1, '{"d":[1]}'],
      ['/a?b=1&c', 1, undefined],
      ['/a?b=1&c', 1, '{}'],
      ['/a?b=1&c', 1, '{"d":[]}'],
    ],
  )
})
