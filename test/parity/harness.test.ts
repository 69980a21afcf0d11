/** The grid itself: it finds nothing where nothing differs, and each kind of difference where there is one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appNames, broken, oracle } from '../support/engines.ts'
import { runGrid } from './grid.ts'

for (const app of appNames) {
  test(`${app}: finds no difference between the oracle and itself`, async () => {
    const { exchanges, differences } = await runGrid(oracle, app)
    assert.deepEqual(differences, [])
    if (app === 'bookshop') assert.ok(exchanges.length >= 400, `${exchanges.length} requests`)
  })
}

test('finds each defect of a server that was broken on purpose', async () => {
  const { differences } = await runGrid(broken, 'bookshop')
  const linesOf = (title: string): readonly string[] =>
    differences.find((difference) => difference.title === title)?.lines ?? []

  const coerced = linesOf('GET /v1/books: valid')
  assert.ok(coerced.includes('- status  200 OK'))
  assert.ok(coerced.includes('+ status  400 Bad Request'))
  assert.ok(linesOf('DELETE /v1/books/{isbn}: valid').includes('+ header  x-broken: yes'))
  assert.ok(
    linesOf('GET /v1/staff/slip: valid').every((line) => line.startsWith('- journal onError')),
  )
  assert.ok(linesOf('GET /v1/staff/slip: valid').length > 0)
  assert.deepEqual(linesOf('GET /health: valid'), [])
})
