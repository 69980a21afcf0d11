/** `framework openapi`: the document of an application that does not run. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url))

interface Body {
  readonly required?: boolean
  readonly content: Readonly<Record<string, object>>
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody: Body
  readonly responses: Readonly<Record<string, Body>>
  readonly security?: unknown
}

interface Document {
  readonly openapi: string
  readonly info: object
  readonly paths: Readonly<Record<string, Readonly<Record<'post' | 'query', Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

interface Result {
  readonly unknown: readonly string[]
  readonly document: Document
}

const plain = `import framework from 'framework'
const app = framework()
for (const [prefix, maximum] of [['/a', 1], ['/b', 2]]) {
  app.register(async (child) => {
    child.addSchema({ $id: 'limit', type: 'object', properties: { n: { $ref: '#/definitions/n' } }, definitions: { n: { type: 'integer', nullable: true, maximum } } })
    child.post('/limits/:id', { schema: { body: { $ref: 'limit#' } } }, async () => '')
  }, { prefix })
}
app.get('/config', { schema: { querystring: JSON.parse(process.env.SCHEMA) } }, async () => '')
await app.ready()
`

test('a document by the names of the schemas, each context with its own', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(plain)
  shop.write('package.json', '{ "name": "limits", "version": "3.2.1", "type": "module" }')
  const { stdout, stderr } = shop.framework('openapi', 'app.js', '--allow-dynamic')
  const document = JSON.parse(stdout) as Document
  assert.equal(document.openapi, '3.1.0')
  assert.deepEqual(document.info, { title: 'limits', version: '3.2.1' })
  assert.deepEqual(Object.keys(document.paths), ['/config', '/a/limits/{id}', '/b/limits/{id}'])
  const type = ['integer', 'null']
  const limits = [1, 2].flatMap((maximum) => {
    const name = maximum === 1 ? 'limit' : 'limit-2'
    const properties = { n: { $ref: `#/components/schemas/${name}.n` } }
    return [
      [`${name}.n`, { type, maximum, title: '' }],
      [name, { type: 'object', properties, title: '' }],
    ]
  })
  assert.deepEqual(
    Object.entries(document.components.schemas).map(([name, one]) => [name, { ...one, title: '' }]),
    limits,
  )
  assert.match(stderr, /only the running application knows it:\n {2}querystring of GET \/config$/m)
  assert.ok(!shop.list('.').includes('.framework'))
  const written = shop.framework('openapi', 'app.js', '--allow-dynamic', '-o', 'api/openapi.json')
  assert.match(written.stdout, /^Wrote api\/openapi\.json: 3 paths\.$/m)
  assert.deepEqual(JSON.parse(shop.read('api/openapi.json')), document)
  shop.succeed('openapi', 'app.js', '--allow-dynamic', '-o', 'api/openapi.json')
  const source = shop.read('app.js')
  const refused = shop.fail('openapi', 'app.js', '--allow-dynamic', '-o', 'app.js')
  assert.match(refused, /AOT_OUTPUT_NOT_OURS/)
  assert.equal(shop.read('app.js'), source)
})

test('properties that are named like keywords stay properties', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
const app = framework()
const n = { $ref: '#/definitions/n' }
const properties = { definitions: { type: 'array', items: n }, schema: { type: 'object', properties: { n } } }
app.post('/words', { schema: { body: { type: 'object', definitions: { n: { type: 'integer' } }, properties } } }, async () => '')
export default app
`)
  const { paths } = JSON.parse(shop.succeed('openapi', 'app.js')) as Document
  const n = { $ref: '#/components/schemas/post-words-body.n' }
  const properties = {
    definitions: { type: 'array', items: n },
    schema: { type: 'object', properties: { n } },
  }
  assert.deepEqual(paths['/words']?.post.requestBody.content, {
    'application/json': { schema: { type: 'object', properties } },
  })
})

test('an application that uses @fastify/swagger gets the document that the plugin writes of the routes it sees', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.install('@fastify')
  shop.writeApp(`import framework from 'framework'
import swagger from '@fastify/swagger'
const app = framework()
app.get('/too-early', async () => '')
await app.register(swagger, {
  openapi: { info: { title: 'Shop', version: '9' }, tags: [{ name: 'books' }] },
  transform: ({ schema, url }) => ({ schema, url }),
})
app.get('/books', { schema: { tags: ['books'], summary: 'Lists books' } }, async () => '')
app.get('/hidden', { schema: { hide: true } }, async () => '')
await app.ready()
`)
  const document = {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '9' },
    tags: [{ name: 'books' }],
    components: { schemas: {} },
    paths: {
      '/books': {
        get: {
          summary: 'Lists books',
          tags: ['books'],
          responses: { 200: { description: 'Default Response' } },
        },
      },
    },
  }
  // Only a boot can call `transform`.
  const transform = 'the option `transform` of @fastify/swagger at app.js:5:7'
  for (const [options, unknown] of [
    [[], []],
    [['--no-boot'], [transform]],
  ] as const) {
    shop.succeed('build', 'app.js', ...options)
    const result = shop.result<Result>('openapi')
    assert.deepEqual(result.unknown, unknown)
    assert.deepEqual(result.document, document)
  }
})

test('what is not known of the options of @fastify/swagger is left out one by one', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.install('@fastify')
  shop.writeApp(`import framework from 'framework'
import swagger from '@fastify/swagger'
const app = framework()
await app.register(swagger, {
  openapi: {
    info: { title: 'Shop', version: '9', contact: { name: process.env.NAME, url: 'http://a.test' } },
    servers: [{ url: process.env.PUBLIC_URL }, { url: process.env.OTHER ?? 'http://b.test' }, { url: 'http://c.test' }],
  },
})
app.get('/books', { schema: { summary: 'Lists books' } }, async () => '')
await app.ready()
`)
  shop.succeed('build', 'app.js')
  const { stdout, stderr } = shop.framework('openapi')
  const { info, servers } = JSON.parse(stdout) as { info: object; servers: object }
  assert.deepEqual(info, { title: 'Shop', version: '9', contact: { url: 'http://a.test' } })
  assert.deepEqual(servers, [{ url: 'http://c.test' }])
  for (const path of ['info.contact.name', 'servers.0.url', 'servers.1.url'])
    assert.match(stderr, new RegExp(`the option \`openapi\\.${path}\` of`))
})

test('a document of OpenAPI 3.1 keeps `examples` of schemas', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.writeApp(`import framework from 'framework'
const app = framework()
const text = { type: 'string', examples: ['a', 'b'] }
app.addSchema({ $id: 'text', ...text })
const body = { type: 'object', properties: { text, examples: { type: 'array', items: text }, shared: { $ref: 'text#' } }, examples: [{ text: 'a' }, {}] }
app.post('/', { schema: { body, querystring: { type: 'object', properties: { text } } } }, async () => '')
await app.ready()
`)
  const document = JSON.parse(shop.succeed('openapi', 'app.js')) as Document
  const text = { type: 'string', examples: ['a', 'b'] }
  const { post } = document.paths['/'] ?? {}
  assert.deepEqual(post?.parameters, [{ schema: text, in: 'query', name: 'text', required: false }])
  assert.deepEqual(post?.requestBody.content['application/json'], {
    schema: {
      type: 'object',
      properties: {
        text,
        examples: { type: 'array', items: text },
        shared: { $ref: '#/components/schemas/text' },
      },
      examples: [{ text: 'a' }, {}],
    },
  })
  assert.deepEqual(document.components.schemas['text'], text)
})

test('for Fastify 5: schemas as they are written, without short forms, and required bodies', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
const app = framework()
app.post('/', { schema: { body: { type: 'object' }, response: { 201: { type: 'object', properties: { id: { type: 'number' } } }, 200: { content: { 'text/plain': { schema: { maxLength: 4 } } } } } } }, async () => '')
await app.ready()
`)
  shop.succeed('build', 'app.js', '--server', 'fastify@5')
  const { stdout, stderr } = shop.framework('openapi')
  const { paths } = JSON.parse(stdout || stderr) as Document
  const { requestBody, responses } = paths['/']?.post ?? assert.fail()
  assert.equal(requestBody.required, true)
  assert.deepEqual(responses['200']?.content['text/plain'], { schema: { maxLength: 4 } })
})

test("schemas for the application's own compiler are unknown only if JSON can't show them", (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.install('zod')
  shop.writeApp(`import framework from 'framework'
import { z } from 'zod'
const app = framework()
app.setValidatorCompiler(() => () => true)
app.setSerializerCompiler(() => JSON.stringify)
const page = { type: 'object', properties: { page: { type: 'integer' } } }
app.post('/', { schema: {
  query: page,
  body: z.object({ name: z.string() }),
  response: { '2XX': { content: { 'text/html; charset=utf-8': { schema: page } } }, 404: page },
} }, async () => '')
await app.ready()
`)
  const result = shop.result<Result>('openapi', 'app.js')
  assert.deepEqual(result.unknown, ['body of POST /'])
  const { parameters, responses } = result.document.paths['/']?.post ?? assert.fail()
  const names = parameters?.map(({ name }) => name)
  assert.deepEqual(names, ['page'])
  assert.deepEqual(Object.keys(responses), ['404', '2XX'])
})

test('the plugin that the application has installed writes the document: versions differ in what they write', (t) => {
  const registered = `import framework from 'framework'
import swagger from '@fastify/swagger'
const app = framework()
await app.register(swagger, { openapi: {} })
await app.ready()
`
  const shop = createWorkshop(t, 'cli/empty', {
    'node_modules/@fastify/swagger/package.json': '{ "version": "8.99.0" }',
    'node_modules/@fastify/swagger/index.js': `const plugin = require(${JSON.stringify(join(installed, '@fastify/swagger'))})
module.exports = Object.assign((app, options, done) => {
  plugin(app, { ...options, openapi: { ...options.openapi, 'x-written-by': 'its own' } }, done)
}, plugin)
`,
    'app.js': registered,
  })
  const authorOf = (): unknown => {
    const { stdout, stderr } = shop.framework('openapi', 'app.js')
    return (JSON.parse(stdout || stderr) as { 'x-written-by'?: string })['x-written-by']
  }
  assert.equal(authorOf(), 'its own')
  // One that works in another way than the command knows.
  shop.write('node_modules/@fastify/swagger/package.json', '{ "version": "10.0.0" }')
  assert.equal(authorOf(), undefined)
  // Where the plugin is not used, the document is the same wherever it is written.
  shop.write('node_modules/@fastify/swagger/package.json', '{ "version": "8.99.0" }')
  shop.writeApp(registered.replace('openapi: {}', 'swagger: {}'))
  assert.equal(authorOf(), undefined)
})

test('bodies with a schema for each media type, as @fastify/swagger writes them on Fastify 5', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.writeApp(`import framework from 'framework/5'
const app = framework()
app.addSchema({ $id: 'title', type: 'string' })
const content = {
  'application/json': { schema: { type: 'object', properties: { title: { $ref: 'title#' } } } },
  'text/plain': { schema: { type: 'string', maxLength: 9 } },
}
app.query('/books', { schema: { body: { content } } }, async () => [])
await app.ready()
`)
  const { stdout, stderr } = shop.framework('openapi', 'app.js')
  assert.equal(stderr, '')
  const { paths } = JSON.parse(stdout) as Document
  const properties = { title: { $ref: '#/components/schemas/title' } }
  assert.deepEqual(paths['/books']?.query.requestBody, {
    required: true,
    content: {
      'application/json': { schema: { type: 'object', properties } },
      'text/plain': { schema: { type: 'string', maxLength: 9 } },
    },
  })
})

test('members of a schema that only the document is about: those that the plugin fails at are problems, and what nothing declares is left out', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const securitySchemes = { key: { type: 'apiKey', name: 'key', in: 'query' } }
  const declared = { openapi: { components: { securitySchemes } } }
  const writeRoutes = (members: readonly object[], options?: object): Workshop =>
    shop.writeApp(`import framework from 'framework'
${options ? "import swagger from '@fastify/swagger'" : ''}
const app = framework()
${options ? `await app.register(swagger, ${JSON.stringify(options)})` : ''}
const body = { type: 'object' }
${members.map((one, at) => `app.post('/${at}', { schema: { body, response: { 200: body }, ...${JSON.stringify(one)} } }, () => 'x')`).join('\n')}
export default app
`)
  const run = () => shop.json<Result>('openapi', 'app.js')
  const right = {
    tags: ['x'],
    consumes: ['text/plain'],
    produces: ['text/plain'],
    externalDocs: { url: 'http://x' },
    servers: [{ url: 'http://x' }],
    deprecated: true,
    summary: 'x',
    operationId: 'x',
    security: [{}],
    'x-own': 1,
  }
  const wrong = ['x', 1, true, {}].flatMap((value) =>
    Object.keys(right).map((name) => ({ [name]: value })),
  )

  writeRoutes([right, { security: [{ key: [] }, { bearer: [], key: [] }] }])
  const { ok, result } = run()
  assert.ok(ok)
  const { consumes: _, produces, ...shown } = right
  const { requestBody, responses, ...operation } =
    result.document.paths['/0']?.post ?? assert.fail()
  assert.deepEqual(operation, shown)
  for (const body of [requestBody, responses['200']])
    assert.deepEqual(Object.keys(body?.content ?? {}), produces)
  assert.equal(result.document.paths['/1']?.post.security, undefined)
  const where = '`openapi.components.securitySchemes` of @fastify/swagger'
  assert.deepEqual(result.unknown, [`security of POST /1: declare key, bearer in ${where}`])

  writeRoutes([...wrong, right])
  const failed = run()
  const refused = wrong.flatMap((one, at) =>
    failed.diagnostics.filter(({ message }) =>
      message.startsWith(
        `@fastify/swagger cannot describe \`${Object.keys(one)[0]}\` of POST /${at}: `,
      ),
    ),
  )
  assert.equal(failed.ok, false)
  assert.deepEqual(refused, failed.diagnostics)
  assert.deepEqual(new Set(refused.map(({ at }) => at.line > 5)), new Set([true]))
  assert.equal(refused.length, 2 + 4 + 4 + 4)

  shop.install('@fastify')
  writeRoutes([{ security: [{ key: [] }] }], declared)
  assert.deepEqual(run().result.document.paths['/0']?.post.security, [{ key: [] }])
  writeRoutes([{ security: [{ bearer: [] }] }], declared)
  assert.match(run().diagnostics[0]?.message ?? '', /`security` of POST \/0.*declare its schemes/)
  writeRoutes([right], { swagger: { security: [{ bearer: [] }] } })
  assert.deepEqual(run().result.unknown, [
    `security of @fastify/swagger at app.js:4:7: declare bearer in ${where}`,
  ])
  writeRoutes([right], { openapi: { servers: [{ url: '{host}' }] } })
  const problems = run().diagnostics.map(({ at, message }) => [at.line, message.includes('{host}')])
  assert.deepEqual(problems, [[4, true]])

  const [one, other] = ['A', 'B'].map((title) => `{ openapi: { info: { title: '${title}' } } }`)
  shop.writeApp(`import framework from 'framework'
import swagger from '@fastify/swagger'
const app = framework()
await app.register(swagger, process.env.OTHER ? ${other} : ${one})
export default app
`)
  assert.deepEqual(run().result.unknown, [
    'the option `openapi.info.title` of @fastify/swagger at app.js:4:7',
  ])
})
