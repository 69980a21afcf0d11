/** Routes whose schemas are types of Zod and other libraries: what the build knows of them, and the document that they are part of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from '../../compiler/index.ts'
import { createZodWorkshop } from '../support/zod-workshop.ts'
import type { Workshop } from '../support/workshop.ts'

const own = `app.setValidatorCompiler(({ schema }) => (data) => ({ value: data, schema }))
app.setSerializerCompiler(() => JSON.stringify)`

/** @param schema the source of the `schema` option of a route */
const application = (imports: string, schema: string, compilers = own): string => `
import framework from 'framework/5'
${imports}
const app = framework()
${compilers}
app.post('/books', { schema: ${schema} }, async (request) => request.body)
export default app
`

const zod = `{
  body: z.object({ title: z.string().check(z.minLength(1)), year: z._default(z.int(), 1800) }),
  querystring: z.object({ page: z.optional(z.coerce.number()) }),
  response: {
    200: z.object({ year: z._default(z.int(), 1800), at: z.date(), tags: z.set(z.string()) }),
    404: { description: 'none', content: { 'text/plain': { schema: z.string() } } },
  },
}`

const integer = { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }
const year = { default: 1800, ...integer }
const described = {
  body: {
    type: 'object',
    properties: { title: { type: 'string', minLength: 1 }, year },
    required: ['title'],
  },
  querystring: { type: 'object', properties: { page: { type: 'number' } } },
  200: {
    type: 'object',
    properties: { year, at: { type: 'string', format: 'date-time' }, tags: {} },
    required: ['year', 'at', 'tags'],
    additionalProperties: false,
  },
  404: { description: 'none', content: { 'text/plain': { schema: { type: 'string' } } } },
}

/** Returns the schemas of the only route by part. */
function schemasOf({ routes: [route], schemas }: Manifest): unknown {
  const { parts = {}, responses = {} } = route?.schema ?? {}
  const names = Object.entries({ ...parts, ...responses })
  return Object.fromEntries(names.map(([part, name]) => [part, schemas[name]]))
}

for (const [name, imports] of Object.entries({
  mini: `import { z } from 'zod/mini'`,
  classic: `import * as zod from 'zod'\nconst z = { ...zod, minLength: (n) => zod.z.minLength(n), optional: zod.optional }`,
})) {
  test(`types of Zod ${name} are described as JSON schemas of what they read, or return in responses`, (t) => {
    const shop = createZodWorkshop(t, { 'app.js': application(imports, zod) })
    const built = shop.succeed('build', 'app.js')
    assert.match(
      built,
      /\[body \(zod, compiled\), querystring \(zod, compiled\), 200 \(zod\), 404 text\/plain \(zod, compiled\)\]/,
    )
    assert.deepEqual(schemasOf(shop.manifest()), described)
    assert.match(shop.succeed('explain', 'POST', '/books'), /body {2}zod, compiled/)
    shop.succeed('report', '--out', 'report.html')
    assert.match(shop.read('report.html'), /read by zod, compiled/)
  })
}

test('types of libraries with Standard JSON Schema are described, those of others are not', (t) => {
  const schema = `{ body: type({ 'page?': 'number > 0' }), params: z.object({}) }`
  const imports = `import { type } from 'arktype'\nimport { z } from 'zod/v3'`
  const shop = createZodWorkshop(t, { 'app.js': application(imports, schema) })
  shop.succeed('build', 'app.js')
  const { routes } = shop.manifest()
  assert.deepEqual(routes[0]?.libraries, { body: { name: 'arktype' } })
  assert.deepEqual(routes[0]?.opaque, ['params'])
  const page = { type: 'number', exclusiveMinimum: 0 }
  assert.deepEqual(schemasOf(shop.manifest()), { body: { type: 'object', properties: { page } } })
})

test('types of libraries are still refused where nothing but the build compiles them', (t) => {
  const shop = createZodWorkshop(t, {
    'app.js': application(`import { z } from 'zod'`, '{ body: z.object({}) }', ''),
  })
  assert.match(shop.fail('build', 'app.js'), /it is a schema of "zod"/)
})

test('`check --against` compares types: they coerce only what they say', (t) => {
  const source = (body: string, status: string): string =>
    application(
      `import { z } from 'zod'`,
      `{ body: z.object({ ${body} }), response: { 200: z.object({ ${status} }) } }`,
    )
  const shop = createZodWorkshop(t, {
    'app.js': source('a: z.string(), b: z.number()', 'c: z.string()'),
  })
  shop.succeed('build', 'app.js', '--out', 'before')
  shop.writeApp(source('a: z.string(), b: z.string(), d: z.string().optional()', 'e: z.string()'))
  type Result = { readonly changes: readonly Record<'effect' | 'part' | 'path', string>[] }
  const { result } = shop.json<Result>('check', 'app.js', '--against', 'before/manifest.json')
  const changes = result.changes.map(({ effect, part, path }) => `${effect} ${part} ${path}`)
  assert.deepEqual(
    [...new Set(changes)],
    ['breaking body b', 'compatible body d', 'breaking 200 c', 'compatible 200 e'],
  )
})

const providers = {
  'fastify-type-provider-zod': `import * as provider from 'fastify-type-provider-zod'
const { jsonSchemaTransform: transform, jsonSchemaTransformObject: transformObject } = provider
const options = { transform, transformObject }
const plugin = async () => {}`,
  'fastify-zod-openapi': `import * as provider from 'fastify-zod-openapi'
const { fastifyZodOpenApiPlugin: plugin, fastifyZodOpenApiTransformers: options } = provider`,
}

for (const [name, imports] of Object.entries(providers)) {
  test(`\`openapi\` writes the document of the running application with ${name}`, (t) => {
    const source = (server: string, end: string): string => `import framework from '${server}'
import swagger from '@fastify/swagger'
import { z } from 'zod'
${imports}
const app = framework()
app.setValidatorCompiler(provider.validatorCompiler)
app.setSerializerCompiler(provider.serializerCompiler)
await app.register(plugin)
await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Books', version: '1' } }, ...options })
app.addSchema({ $id: 'unused', type: 'string' })
const author = z.object({ name: z.string(), born: z.iso.date().nullable() }).meta({ id: 'Author' })
const book = z.object({ title: z.string().min(1), year: z.int().default(1800), author })
app.register(async (api) => {
  api.post('/books', { schema: { tags: ['books'], body: book, response: { 201: book } } }, async (request) => request.body)
  api.get('/books/:id', { schema: { params: z.object({ id: z.coerce.number() }), querystring: z.object({ page: z.string().optional() }) } }, async () => '')
}, { prefix: '/api' })
await app.ready()
${end}
`
    const shop = createZodWorkshop(t, {
      'app.js': source('framework/5', ''),
      'real.js': source('fastify', 'console.log(JSON.stringify(app.swagger()))'),
    })
    type Result = { readonly document: unknown; readonly unknown: readonly string[] }
    const { document, unknown } = shop.result<Result>('openapi', 'app.js')
    assert.deepEqual(unknown, [])
    assert.deepEqual(document, documentOf(shop))
  })
}

function documentOf(shop: Workshop): unknown {
  const { stdout, stderr } = shop.node('real.js')
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

test('a document that depends on the clock, or that the plugin refuses to write, is not taken from a boot', (t) => {
  const source = (transform: string): string => `import framework from 'framework/5'
import swagger from '@fastify/swagger'
const app = framework()
await app.register(swagger, { openapi: {}, transform: ({ schema, url }) => { ${transform} } })
app.get('/books', { schema: { response: { 200: { type: 'string' } } } }, async () => '')
export default app
`
  const shop = createZodWorkshop(t, {
    'clock.js': source('return { schema: { ...schema, summary: String(Date.now()) }, url }'),
    'fails.js': source("throw new Error('no books')"),
    'stops.js': `import { connect } from 'node:net'
${source('return { schema, url }')}
await new Promise((done, fail) => connect(5432, '127.0.0.1').on('connect', done).on('error', fail))
`,
  })
  for (const [file, why] of [
    ['clock.js', /the document that the application writes: it differs with another/],
    ['fails.js', /the document that the application writes: Error: no books/],
    [
      'stops.js',
      /the document that the application writes: .* it stopped: .*no network.*`--trace`/,
    ],
  ] as const) {
    const { stdout, stderr } = shop.framework('openapi', file)
    assert.match(stderr, why)
    assert.match(stderr, /the option `transform`/)
    assert.match(stdout, /"\/books"/)
  }
})
