/** Schemas that change after the build in what JSON does not say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

/** What stands in the place of `null` or of `{ minLength: 1 }` after the build, and when it is refused. */
const edits: readonly (readonly [from: string, to: string, when: 'ready' | 'request'])[] = [
  ['const: null', 'const: NaN', 'ready'],
  ["['a', null]", "['a', , ]", 'ready'],
  ["'2020-01-01T00:00:00.000Z'", 'new Date(0x16f5e66e800)', 'ready'],
  ['{ minLength: 1 }', '{ minLength: 1, __proto__: { maxLength: 1 } }', 'request'],
  ['{ minLength: 1 }', '{ maxLength: 1, toJSON: () => ({ minLength: 1 }) }', 'request'],
  [
    '{ minLength: 1 }',
    "Object.defineProperty({ minLength: 1 }, 'maxLength', { value: 1 })",
    'request',
  ],
]

test('a schema that differs in what JSON does not say is refused', (t) => {
  const shop = createWorkshop(t, 'cli/shop')
  const items = `export default async function items(app) {
  const post = (url, properties) =>
    app.post(url, { schema: { body: { type: 'object', properties } } }, async () => 'served')
  post('/', { name: { minLength: 1 } })
  post('/list', { list: { enum: ['a', null] } })
  post('/day', { day: { enum: ['2020-01-01T00:00:00.000Z'] } })
  post('/none', { none: { const: null } })
}
`
  shop.write('items.js', items)
  const { status, stderr } = shop.framework('build', 'app.js')
  assert.equal(status, 0, stderr)
  const ask = (): Record<string, unknown> =>
    JSON.parse(shop.node('--import', './.framework/register.js', 'main.js').stdout) as Record<
      string,
      unknown
    >
  assert.deepEqual(ask(), { statusCode: 200, body: 'served' })
  for (const [from, to, when] of edits) {
    shop.write('items.js', items)
    shop.edit('items.js', from, to)
    const seen = ask()
    const { code } = when === 'ready' ? seen : (JSON.parse(seen.body as string) as typeof seen)
    assert.equal(code, 'FST_ERR_AOT_FUNCTION_MISSING', to)
  }
})
