/** Parts of schemas that Fastify 4.21 ignores, from an artifact and in development. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

const APP = `
import framework from 'framework'

export default function build(options) {
  const app = framework(options)
  const echo = async ({ body, query }) => ({ body, query })
  const headers = { type: 'object', dependencies: { 'X-Admin': ['X-Key'] } }
  app.post('/number', { schema: { body: { type: 'integer' } } }, echo)
  app.post('/closed', { schema: { body: false } }, echo)
  app.get('/closed', { schema: { query: false, response: { 400: { message: { type: 'string' } } } } }, echo)
  app.post('/late', { schema: { body: { $async: true, type: 'object' } } }, echo)
  app.post('/key', { schema: { headers } }, echo)
  return app
}
`

const MAIN = `
import build from './app.js'

const { default: artifact } = await import(process.argv[2])
const app = build({ aot: { artifact, mode: artifact ? 'artifact' : 'development' } })
const json = { 'content-type': 'application/json' }
const requests = [
  ['POST', '/number', '"12"'],
  ['POST', '/closed', '{}'],
  ['GET', '/closed'],
  ['POST', '/late', '{"value":{"a":1},"error":true}'],
  ['POST', '/key', '1', { 'x-admin': 'yes' }],
]
for (const [method, url, payload, headers] of requests) {
  const { statusCode, body } = await app.inject({ method, url, payload, headers: { ...json, ...headers } })
  const { message, ...rest } = JSON.parse(body)
  console.log(statusCode, message ?? JSON.stringify(rest))
}
`

test('schemas that are `false`, values that are no objects, promises and header names', (t) => {
  const shop = createWorkshop(t, 'cli/shop').writeApp(APP)
  shop.write('main.js', MAIN)
  shop.write('none.js', 'export default undefined\n')
  shop.succeed('build', 'app.js')
  for (const file of ['./.framework/index.mjs', './.framework/worker.mjs', './none.js']) {
    const { stdout, stderr } = shop.node('main.js', file)
    assert.deepEqual(
      stdout.trim().split('\n'),
      [
        '200 {"body":12,"query":{}}',
        '400 body boolean schema is false',
        '400 querystring boolean schema is false',
        '200 {"body":{"value":{"a":1},"error":true},"query":{}}',
        '400 headers must have property x-key when property x-admin is present',
      ],
      file + stderr,
    )
  }
})
