/** `framework check --against`: which routes of two builds correspond, and which of their parts can be compared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

test('--against reports `/` in a plugin with a prefix once, although it answers with and without a slash', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const app = (routes: string): string => `import framework from 'framework'
const app = framework()
app.register(async (v1) => {
${routes}
}, { prefix: '/v1' })
await app.ready()
`
  const route = (type: string): string =>
    `v1.post('/', { schema: { body: { type: '${type}' } } }, async () => '')`
  shop.writeApp(app(`${route('object')}\nv1.put('/', async () => '')`))
  shop.succeed('build', 'app.js')
  shop.write('before.json', shop.read('.framework/manifest.json'))
  // A route in another place is another declaration.
  shop.writeApp(
    app(
      `${route('array')}\nv1.get('/', { prefixTrailingSlash: 'slash' }, () => '')\nv1.get('', () => '')`,
    ),
  )
  type Result = { readonly changes: readonly { readonly method: string; readonly url: string }[] }
  const { result } = shop.json<Result>('check', '--against', 'before.json')
  const changed = result.changes.map(({ method, url }) => `${method} ${url}`)
  assert.deepEqual(changed, ['PUT /v1', 'POST /v1', 'GET /v1/', 'GET /v1'])
})

test("--against reports schemas for the application's own compiler if they have changed, and only then", (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
const app = framework()
app.addSchema({ $id: 'unit', enum: ['cm'] })
app.register(async (app) => {
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.post('/labels/:id', {
    schema: { body: { text: 'words' }, headers: { 'X-Key': 'word' }, params: { properties: { id: {} } } },
  }, async () => '')
  app.get('/labels', { schema: { response: { 200: { text: 'words' } } } }, async () => '')
  app.put('/checked', { schema: { body: { check: () => true } } }, async () => '')
})
export default app
`)
  shop.succeed('build', 'app.js', '--out', 'before')
  const notCompared = (): string[] => {
    const stdout = shop.succeed(
      ...(['check', 'app.js', '--against', 'before/manifest.json', '--format', 'github'] as const),
    )
    return [...stdout.matchAll(/^::warning .*title=not-compared::(.*)$/gm)].map(([, one]) =>
      String(one),
    )
  }
  const says = (part: string): string =>
    `${part} cannot be compared: it is read by the application's own compiler`
  const opaque = says('PUT /checked: body')
  // A schema that JSON can't show may always have changed. Names of parameters aren't sent.
  shop.edit('app.js', '/labels/:id', '/labels/:label')
  shop.edit('app.js', 'properties: { id:', 'properties: { label:')
  assert.deepEqual(notCompared(), [opaque])
  shop.edit('app.js', "body: { text: 'words'", "body: { text: 'word'")
  assert.deepEqual(notCompared(), [says('POST /labels/:label: body'), opaque])
  shop.edit('app.js', "200: { text: 'words'", "200: { text: 'word'")
  shop.edit('app.js', "'X-Key'", "'x-key'")
  assert.deepEqual(notCompared(), [
    ...['headers', 'body'].map((part) => says(`POST /labels/:label: ${part}`)),
    says('GET /labels: 200'),
    opaque,
  ])
  // A compiler may look up shared schemas in any way.
  shop.edit('app.js', "enum: ['cm']", "enum: ['mm']")
  assert.ok(notCompared().includes(says('POST /labels/:label: params')))
})

test('--against distinguishes routes with a literal colon, and compares a status with the response that described it before', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
const app = framework()
const error = { type: 'object', required: ['code'], properties: { code: { type: 'string' }, debug: false, text: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }
const other = { type: 'object', properties: { code: { type: 'string' }, debug: { type: 'string' }, text: { type: ['string', 'null', 'integer'] } } }
app.post('/users::lock', async () => '')
app.get('/users/::kind:id', { schema: { response: { '4xx': error } } }, async () => '')
export default app
`)
  shop.succeed('build', 'app.js', '--out', 'before')
  shop.edit('app.js', '::lock', '::unlock')
  shop.edit('app.js', '::kind:id', '::kind:key')
  shop.edit('app.js', "'4xx': error", "'4xx': error, 404: other, 410: error, 500: error")
  type Result = { readonly changes: readonly Readonly<Record<string, string>>[] }
  const { result } = shop.json<Result>('check', '--against', 'before/manifest.json')
  assert.deepEqual(
    result.changes.map(({ effect, url, part, path, message }) =>
      [effect, url, part, path, message].join(' '),
    ),
    [
      'breaking /users::lock   is not there any more',
      'breaking /users/::kind:key 404 code may be missing now',
      'breaking /users/::kind:key 404 debug may be sent now',
      'breaking /users/::kind:key 404 text anyOf: allows more than before',
      'compatible /users/::kind:key 500  is described now',
      'compatible /users::unlock   is new',
    ],
  )
})
