/** Schemas that change after the build in ways that JSON doesn't show. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

type When = 'ready' | 'request'

/** Replacements of `null` or `{ minLength: 1 }` after the build, and when they are refused. */
const edits: readonly (readonly [from: string, to: string, when: When])[] = [
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

/** The answer of the application, or the error that keeps it from getting ready. */
interface Answer {
  readonly code?: string
  readonly body?: string
}

/** Gives the application the single file of the artifact instead of the folder. */
const WORKER = `import artifact from './.framework/worker.mjs'
globalThis.shopOptions = { aot: { artifact } }
`

test('a schema that differs in ways that JSON does not show is refused before a request is served', (t) => {
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
  shop.succeed('build', 'app.js')
  for (const preload of ['./.framework/register.js', './worker.js']) {
    const ask = (): Answer => JSON.parse(shop.node('--import', preload, 'main.js').stdout) as Answer
    shop.write('items.js', items)
    assert.deepEqual(ask(), { statusCode: 200, body: 'served' })
    for (const [from, to, when] of edits) {
      shop.write('items.js', items)
      shop.edit('items.js', from, to)
      const answer = ask()
      const { code } = answer.body === undefined ? answer : (JSON.parse(answer.body) as Answer)
      assert.equal(code, 'FST_ERR_AOT_FUNCTION_MISSING', `${to}, ${preload}`)
      const seen: When = answer.body === undefined ? 'ready' : 'request'
      assert.equal(seen, when, `${to}, ${preload}`)
    }
  }
})
