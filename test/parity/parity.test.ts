/** One application source, the same requests: our runtime answers as Fastify 4.21 does, or as Fastify 5.12 for `@5`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appNames, broken, compiled, development, oracle, type Engine } from '../support/engines.ts'
import { runsAll } from '../support/runs.ts'
import { assertParity, runGrid } from './grid.ts'

/** Applications without short forms of schemas, which Fastify 5 refuses. */
const onBoth = ['plugin-entry', 'post-office']
const names = [...appNames, ...onBoth.map((name) => `${name}@5`)]

/** Without Node's internal functions. */
const publicInterface: Engine = {
  name: 'public interface',
  flags: async (app) => [
    ...(await development.flags(app)),
    '--import',
    new URL('../support/public-interface.js', import.meta.url).href,
  ],
}

const enginesOf = (app: string): readonly Engine[] => {
  const onInternals = ['bookshop', 'extensions', 'post-office'].includes(app)
  if (runsAll) return [development, compiled, ...(onInternals ? [publicInterface] : [])]
  if (app === 'bookshop') return [compiled, development]
  return app === 'post-office' ? [compiled, publicInterface] : [compiled]
}

for (const app of names.filter((name) => runsAll || name !== 'plugins')) {
  for (const engine of enginesOf(app)) {
    test(`${app}: ${engine.name} answers like Fastify`, async () => {
      assertParity(engine, app, await runGrid(engine, app))
    })
  }
}

test('the grid finds no difference between the oracle and itself', async () => {
  const { exchanges, differences } = await runGrid(oracle, runsAll ? 'bookshop' : 'post-office')
  assert.deepEqual(differences, [])
  assert.ok(exchanges.length >= 400, `${exchanges.length} requests`)
})

test('the grid finds each defect of a deliberately broken server', async () => {
  const { differences } = await runGrid(broken, 'bookshop')
  const linesOf = (title: string): readonly string[] =>
    differences.find((difference) => difference.title === title)?.lines ?? []

  const coerced = linesOf('GET /v1/books: valid')
  assert.ok(coerced.includes('- status  200 OK'))
  assert.ok(coerced.includes('+ status  400 Bad Request'))
  assert.ok(linesOf('DELETE /v1/books/{isbn}: valid').includes('+ header  x-broken: yes'))
  const slip = linesOf('GET /v1/staff/slip: valid')
  assert.ok(slip.length > 0 && slip.every((line) => line.startsWith('- journal onError')))
  assert.deepEqual(linesOf('GET /health: valid'), [])
})
