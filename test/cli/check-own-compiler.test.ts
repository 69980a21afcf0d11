/** `framework check --against` where the application compiles schemas by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

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
