/** `framework check --against` tells routes apart. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

test('--against tells of `/` in a plugin with a prefix once, though it answers with and without a slash', (t) => {
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
  assert.deepEqual(
    result.changes.map(({ method, url }) => `${method} ${url}`),
    ['PUT /v1', 'POST /v1', 'GET /v1/', 'GET /v1'],
  )
})
