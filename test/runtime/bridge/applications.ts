/** Applications that send requests to themselves, in both module systems. */

export type ModuleKind = 'module' | 'commonjs'

/** Prints each answer, then which compilers were loaded. */
const ASK = `
async function ask(app, requests) {
  await app.ready()
  for (const request of requests) {
    const { statusCode, headers, body } = await app.inject({ method: 'POST', ...request })
    delete headers.date
    console.log(JSON.stringify({ statusCode, headers, body }))
  }
  const files = Object.keys(load.cache).map((file) => file.replaceAll('\\\\', '/'))
  const isLoaded = (file) => files.some((one) => one.includes('/node_modules/' + file))
  console.log('loaded: ' + ['ajv/', 'fast-json-stringify/index'].filter(isLoaded).join())
}
`

const HEAD: Readonly<Record<ModuleKind, string>> = {
  module: `import Fastify from 'fastify'
import plugin from 'fastify-plugin'
import { createRequire } from 'node:module'
const load = createRequire(import.meta.url)
${ASK}`,
  commonjs: `const Fastify = require('fastify')
const plugin = require('fastify-plugin')
const load = require
${ASK}`,
}

/** The text of an application, and the name of its file. */
export function program(kind: ModuleKind, body: string): readonly [file: string, text: string] {
  const main = kind === 'module' ? body : `;(async () => {${body}})()`
  return [kind === 'module' ? 'app.mjs' : 'app.cjs', HEAD[kind] + main]
}

/** Shared schemas, contexts, all parts, and differences of the lines. */
export const EVERYTHING = `
const formats = { even: (text) => text.length % 2 === 0 }
const app = Fastify({ ajv: { customOptions: { formats }, plugins: [(ajv) => { ajv.addKeyword('nameless') }] } })
app.addSchema({ $id: 'name', type: 'string', minLength: 2 })
app.post('/users/:id', {
  schema: {
    params: { type: 'object', properties: { id: { type: 'integer' } } },
    querystring: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } },
    headers: {
      type: 'object',
      required: ['X-Key'],
      properties: { 'X-Key': { type: 'integer' } },
      anyOf: [{ properties: { 'X-Mode': { const: 'a' } } }, { required: ['X-Other'] }],
    },
    body: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { $ref: 'name#' },
        at: { type: 'string', format: 'date-time' },
        ip: { type: 'string', format: 'ipv4' },
        even: { type: 'string', format: 'even' },
      },
    },
    response: {
      200: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          key: { type: 'integer' },
          list: { type: ['object', 'string'], properties: {} },
          at: { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'integer' } } }] },
        },
      },
      '4xx': { type: 'object', properties: { message: { type: 'string' } } },
    },
  },
}, async ({ params, query, headers, body }) => ({
  ...body, params, query, key: headers['x-key'], list: 'a', at: { a: '1' },
}))
app.addSchema(JSON.parse('{ "$id": "odd", "type": "object", "properties": { "a": { "type": "integer" }, "__proto__": false } }'))
app.post('/odd', { schema: { body: { $ref: 'odd#' }, response: { 200: { $ref: 'odd#' } } } }, async ({ body }) => body)
app.post('/numbers', { schema: { body: { type: 'integer' } } }, async ({ body }) => typeof body)
app.register(async (child) => {
  child.addSchema({ $id: 'inner', type: 'object', properties: { deep: { $ref: 'name#' } } })
  child.post('/deep', { schema: { body: { $ref: 'inner#' } } }, async ({ body }) => body)
  child.route({ method: ['GET', 'PUT'], url: '/both', handler: async () => ({ a: 1 }), schema: {
    response: { 200: { type: 'object', properties: { a: { type: 'string' } } } },
  } })
}, { prefix: '/child' })
const headers = { 'x-key': '12', 'x-mode': 'a' }
await ask(app, [
  { url: '/users/1?tags=a', headers, payload: { name: 'ab', even: 'ab' } },
  { url: '/users/x', headers, payload: { name: 'ab' } },
  { url: '/users/1', headers, payload: { name: 'a' } },
  { url: '/users/1', headers, payload: { name: 'ab', even: 'abc' } },
  { url: '/users/1', headers, payload: { name: 'ab', at: '2020-01-01T00:00:00' } },
  { url: '/users/1', headers, payload: { name: 'ab', ip: '01.2.3.4' } },
  { url: '/users/1', headers: { 'x-key': 'a' }, payload: { name: 'ab' } },
  { url: '/users/1', headers: { 'x-key': '1', 'x-mode': 'b' }, payload: { name: 'ab' } },
  { url: '/numbers', headers: { 'content-type': 'application/json' }, payload: '"12"' },
  { url: '/numbers', headers: { 'content-type': 'application/json' }, payload: '"a"' },
  { url: '/odd', payload: { a: '1' } },
  { url: '/odd', payload: { a: 'b' } },
  { url: '/child/deep', payload: { deep: 'a' } },
  { url: '/child/deep', payload: { deep: 'ab' } },
  { method: 'GET', url: '/child/both' },
  { method: 'HEAD', url: '/child/both' },
])
`

/** Bodies by media type, and any type of answer, as Fastify 5 has them. */
export const BY_MEDIA_TYPE = `
const app = Fastify()
app.addContentTypeParser('text/plain', { parseAs: 'string' }, (request, body, done) => done(null, body))
app.post('/', {
  schema: {
    body: {
      content: {
        'application/json': { schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } },
        'text/plain': { schema: { type: 'string', maxLength: 3 } },
      },
    },
    response: {
      200: {
        content: {
          'application/json': { schema: { type: 'object', properties: { a: { type: 'string' } } } },
          '*/*': { schema: { type: 'object', properties: { b: { type: 'string' } } } },
        },
      },
    },
  },
}, async ({ body, query }, reply) => reply.type(query.type ?? 'application/json').send({ a: 1, b: 2, body }))
await ask(app, [
  { url: '/', payload: { a: '1' } },
  { url: '/', payload: {} },
  { url: '/?type=application/vnd.x', payload: { a: 1 } },
  { url: '/', headers: { 'content-type': 'text/plain' }, payload: 'abc' },
  { url: '/', headers: { 'content-type': 'text/plain' }, payload: 'abcd' },
])
`

/**
 * Differences between releases of fast-json-stringify: lists where objects are declared, the order of members, what does for
 * a string in a union, what stands beside a reference.
 */
export const LISTS = `
const app = Fastify()
const one = { type: 'object', properties: { a: { type: 'string' } } }
const two = { type: ['object', 'array'], properties: { a: { type: 'string' } }, items: { type: 'integer' } }
const text = { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'string' } } }] }
const beside = { $ref: '#/definitions/beside', required: ['b'] }
const definitions = { beside: { type: 'object', properties: { a: { type: 'string' } } } }
app.post('/', { schema: { response: { 200: { type: 'object', required: ['two'], properties: { one, two } } } } }, async ({ body }) => body)
app.post('/text', { schema: { response: { 200: { type: 'object', properties: { text } } } } }, async () => ({
  text: { a: 1, toJSON: () => ({ a: 2 }), toString: () => 'a text' },
}))
app.post('/beside', { schema: { response: { 200: { type: 'object', properties: { beside }, definitions } } } }, async ({ body }) => body)
await ask(app, [
  { url: '/', payload: { one: { a: 1 }, two: [1] } },
  { url: '/', payload: { one: [1], two: { a: 1 } } },
  { url: '/', payload: { one: [], two: [] } },
  { url: '/text' },
  { url: '/beside', payload: { beside: { a: 1 } } },
])
`

/** Compilers that the application brings, in each way. */
export const OWN_COMPILERS = `
const compiled = []
const own = (name) => ({ httpPart }) => (value) => { compiled.push(name + httpPart); return { value } }
const schema = { body: { type: 'object', properties: { a: { type: 'integer' } } }, headers: { type: 'object', properties: { 'X-A': { type: 'integer' } } } }
const app = Fastify({
  schemaController: {
    bucket: () => {
      const kept = {}
      return {
        add: (one) => { kept[one.$id] = one },
        getSchema: (id) => kept[id],
        getSchemas: () => ({ ...kept, extra: { $id: 'extra', type: 'object', required: ['b'] } }),
      }
    },
  },
})
app.post('/default', { schema }, async ({ body, headers }) => ({ ...body, x: headers['x-a'] }))
app.post('/extra', { schema: { body: { $ref: 'extra#' } } }, async ({ body }) => body)
app.post('/route', { schema, validatorCompiler: own('route') }, async ({ body }) => body)
app.register(async (child) => {
  child.setValidatorCompiler(own('context'))
  child.setSerializerCompiler(() => (value) => 'own ' + JSON.stringify(value))
  child.post('/context', { schema: { ...schema, response: { 200: { type: 'object' } } } }, async ({ body }) => body)
})
const other = Fastify({ schemaController: { compilersFactory: { buildValidator: () => own('factory') } } })
other.post('/factory', { schema }, async ({ body }) => body)
const requests = ['/default', '/extra', '/route', '/context'].map((url) => ({ url, headers: { 'x-a': '1' }, payload: { a: '1' } }))
await ask(app, requests)
await ask(other, [{ url: '/factory', payload: { a: '1' } }])
console.log(compiled.join())
`

/** Schemas that only the running application knows. */
export const UNKNOWN = `
const app = Fastify({ logger: { level: 'warn' } })
const properties = { [process.env.FIELD ?? 'none']: { type: 'integer' } }
app.get('/known', { schema: { querystring: { type: 'object', properties: { a: { type: 'integer' } } } } }, async ({ query }) => query)
app.get('/unknown', {
  schema: { querystring: { type: 'object', properties }, response: { 200: { type: 'object', properties } } },
}, async ({ query }) => query)
await ask(app, ['/known?a=1', '/known?a=x', '/unknown?b=1', '/unknown?b=x'].map((url) => ({ method: 'GET', url })))
`
