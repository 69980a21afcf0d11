/** Schemas that change after the build in what JSON does not say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

/** What stands in the place of `null` or of `{ minLength: 1 }` after the build. */
const edits: readonly (readonly [from: string, to: string])[] = [
  ['const: null', 'const: NaN'],
  ["['a', null]", "['a', , ]"],
  ["'2020-01-01T00:00:00.000Z'", 'new Date(0x16f5e66e800)'],
  ['{ minLength: 1 }', '{ minLength: 1, __proto__: { maxLength: 1 } }'],
  ['{ minLength: 1 }', '{ maxLength: 1, toJSON: () => ({ minLength: 1 }) }'],
  ['{ minLength: 1 }', "Object.defineProperty({ minLength: 1 }, 'maxLength', { value: 1 })"],
]

/** Gives the application the single file of the artifact instead of the folder. */
const WORKER = `import artifact from './.framework/worker.mjs'
globalThis.shopOptions = { aot: { artifact } }
`

test('a schema that differs in what JSON does not say is refused when the application gets ready', (t) => {
  const shop = createWorkshop(t, 'cli/shop')
  shop.write('worker.js', WORKER)
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
  for (const preload of ['./.framework/register.js', './worker.js']) {
    const ask = (): unknown => JSON.parse(shop.node('--import', preload, 'main.js').stdout)
    shop.write('items.js', items)
    assert.deepEqual(ask(), { statusCode: 200, body: 'served' })
    for (const [from, to] of edits) {
      shop.write('items.js', items)
      shop.edit('items.js', from, to)
      const { code } = ask() as { code?: unknown }
      assert.equal(code, 'FST_ERR_AOT_FUNCTION_MISSING', `${to}, ${preload}`)
    }
  }
})
