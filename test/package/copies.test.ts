/** A process may load the package as ES modules and as CommonJS; each recognizes the objects of the other. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import { writeAll } from '../support/folders.ts'
import { createPackedFolder, pack } from '../support/packed.ts'

const tarballs = pack({ after })

test('in an empty folder, every entry loads by import and by require', (t) => {
  const app = createPackedFolder(t, tarballs)
  writeAll(app.folder, {
    'package.json': { private: true, type: 'module' },
    'main.js': `import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import framework, * as index from 'framework'
import plugin, * as wrapper from 'framework/plugin'
import * as fetch from 'framework/fetch'
import 'framework/development'
const require = createRequire(import.meta.url)
const names = (module) => Object.keys(module).sort()
const required = require('framework')
assert.deepEqual(names(index), ['default', 'errorCodes', 'fastify', 'framework'])
assert.deepEqual(names(required), names(index))
assert.equal(required, required.default)
assert.equal(required.default, required.framework)
assert.equal(framework, framework.framework)
assert.deepEqual(names(require('framework/plugin')), names(wrapper))
assert.deepEqual(names(require('framework/fetch')), names(fetch))
require('framework/development')
console.log('loaded')
`,
  })
  // Neither emits Node's warning about ES modules that are required.
  const { stdout, stderr } = app.node(['main.js'])
  assert.equal(stderr, '')
  assert.equal(stdout, 'loaded\n')
})

test('errors, plugins, schemas and artifacts of one copy are recognized by the other', (t) => {
  const app = createPackedFolder(t, tarballs)
  writeAll(app.folder, {
    'package.json': { private: true, type: 'module' },
    'app.js': `import framework from 'framework'
import plugin from './plugin.cjs'
const app = framework()
app.register(plugin, { name: 'first' })
export default app
`,
    'plugin.cjs': `const { errorCodes } = require('framework')
const plugin = require('framework/plugin')
const querystring = { page: { type: 'integer', default: 1 } }
module.exports = plugin(async (app) => {
  app.decorate('shared', true)
  app.get('/', { schema: { querystring } }, async (request) => request.query)
  app.setErrorHandler((error, request, reply) => {
    reply.send({ known: error instanceof errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE })
  })
  app.post('/', async () => 'never')
})
`,
    'main.js': `import { createRequire } from 'node:module'
import imported, { errorCodes } from 'framework'
import { toFetch } from 'framework/fetch'
import app from './app.js'
const require = createRequire(import.meta.url)
const required = require('framework')
console.log((await app.inject('/?page=2')).body, app.shared)
const headers = { 'content-type': 'odd/one' }
console.log((await app.inject({ method: 'POST', url: '/', headers, payload: 'x' })).body)
// One schema object in instances of both, in its short form.
const schema = { query: { page: { type: 'integer' } } }
for (const create of [imported, required, imported]) {
  const other = create({ aot: { mode: 'development' } })
  other.get('/', { schema }, async (request) => request.query)
  console.log((await other.inject('/?page=3')).body)
}
const made = new required.errorCodes.FST_ERR_NOT_FOUND()
class Own extends errorCodes.FST_ERR_NOT_FOUND {}
console.log(
  required.errorCodes.FST_ERR_NOT_FOUND === errorCodes.FST_ERR_NOT_FOUND,
  made instanceof errorCodes.FST_ERR_NOT_FOUND,
  made instanceof errorCodes.FST_ERR_VALIDATION,
  made instanceof Own,
  new Own() instanceof Own,
  new Own() instanceof required.errorCodes.FST_ERR_NOT_FOUND,
)
const { fetchArguments } = require('framework/fetch')
const served = imported()
served.get('/', async (request) => fetchArguments(request)[1])
console.log(await (await toFetch(served)(new Request('http://host/'), 'binding')).text())
`,
  })
  const built = app.framework('build', 'app.js')
  assert.equal(built.status, 0, built.stderr)
  const { stdout, stderr } = app.node(['--import', './.framework/register.js', 'main.js'])
  const query = '{"page":3}\n'
  assert.equal(
    stdout,
    `{"page":2} true\n{"known":true}\n${query}${query}${query}false true false false true true\nbinding\n`,
    stderr,
  )
})

test('classes of errors behave as they do on Fastify', () => {
  const require = createRequire(import.meta.url)
  for (const { errorCodes } of [require('framework'), require('fastify')]) {
    const error = new errorCodes.FST_ERR_BAD_URL('/x')
    const { FST_ERR_BAD_URL, FST_ERR_NOT_FOUND } = errorCodes
    const values = [
      error,
      FST_ERR_BAD_URL('/x'),
      Object.create(error),
      {},
      null,
      1,
      'x',
      new Error('x'),
    ]
    assert.deepEqual(
      values.map((value) => [value instanceof FST_ERR_BAD_URL, value instanceof FST_ERR_NOT_FOUND]),
      values.map((_, i) => [i < 3, false]),
    )
  }
})
