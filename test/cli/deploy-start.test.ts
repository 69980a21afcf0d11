/** The modules that are loaded when a deployment, an application or a build starts, because every start pays for them; and how a deployment ends. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { postJson, startFolder, withServer } from '../support/start-server.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const application = `
import fastify from 'fastify'
const app = fastify()
app.addSchema({ $id: 'address', type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
app.post('/orders', {
  schema: {
    body: { type: 'object', required: ['item'], properties: { item: { type: 'string' }, to: { $ref: 'address#' } } },
    response: { 201: { type: 'object', properties: { item: { type: 'string' } } } },
  },
}, async (request, reply) => {
  reply.code(201)
  return request.body
})
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address()
`

/** A server without a framework, in a module that knows its place as bundles do. */
const bare = `
import { createServer } from 'node:http'
import.meta.url
const server = createServer((request, response) => {
  request.setEncoding('utf8').on('data', () => {}).on('end', () => response.writeHead(201).end('{"item":"Emma"}'))
})
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const { port } = server.address()
`

/** Sends a request as a client in the same process, then prints the modules that were loaded. */
const printModules = `
const { request } = process.getBuiltinModule('node:http')
const options = { port, host: '127.0.0.1', path: '/orders', method: 'POST', agent: false }
const headers = { 'content-type': 'application/json' }
request({ ...options, headers }, (answer) => {
  answer.setEncoding('utf8').on('data', (text) => console.log(answer.statusCode, text)).on('end', () => {
    console.log(process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).join())
    process.exit()
  })
}).end('{"item":"Emma","to":{"city":"Paris"}}')
`

test('makes Node load hardly more modules than a bare server does', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application + printModules)
  shop.write('bare.js', bare + printModules)
  shop.succeed('deploy', 'app.js', '--target', 'node')
  const loadedBy = (file: string): readonly string[] => {
    const { stdout, stderr } = shop.node(file)
    const [answer, modules = ''] = stdout.trimEnd().split('\n')
    assert.equal(answer, '201 {"item":"Emma"}', stderr)
    return modules.split(',')
  }
  const needed = new Set(loadedBy('bare.js'))
  const more = loadedBy('.framework/deploy/node').filter((name) => !needed.has(name))
  // Since Node 24 ticks are faster with it.
  const extra = more.filter((name) => !name.includes('async_local_storage'))
  assert.deepEqual(extra, [])
})

test('prints why it ends before the application has closed', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const never = "app.addHook('onClose', () => new Promise(() => setInterval(() => {}, 1000)))"
  shop.writeApp(`export default async function plugin(app) {\n  ${never}\n}\n`)
  shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'out')
  const { stop, output } = await startFolder(`${shop.folder}/out`, shop.folder)
  assert.equal(await stop('SIGTERM'), 1)
  assert.match(output(), /The application hasn't closed within 10 s\. The process is ended\.\n$/)
})

test('leaves modules of newer Node releases to the Node that runs it', (t) => {
  const newer = "import newer, { member } from 'node:of-tomorrow'"
  const shop = createWorkshop(t, 'cli/empty', {
    'app.js': `${newer}\nimport fastify from 'fastify'\nexport default fastify()\nmember(newer)\n`,
  })
  shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'out')
  assert.match(shop.node('out').stderr, /Error: No such built-in module: node:of-tomorrow\n/)
})

test('large compiled code is in files of its own, except with --no-chunks', async (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import fastify from 'fastify'
export const app = fastify()
const body = { type: 'object', properties: { key: { const: '${'a'.repeat(700_000)}' } } }
app.post('/', { schema: { body } }, async () => 'ok')
`)
  const hasChunks = (...options: string[]): boolean => {
    shop.succeed('deploy', 'app.js', '--target', 'node', ...options)
    return shop.list('.framework/deploy/node').some((file) => file.startsWith('chunks/'))
  }
  assert.equal(hasChunks(), true)
  assert.equal(hasChunks('--no-chunks'), false)
  const started = startFolder('.framework/deploy/node', shop.folder, { PORT: '0' })
  const answers = await withServer(started, (url) =>
    Promise.all(['{}', '{ "key": "a" }'].map((body) => postJson(url, body))),
  )
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(statuses, [200, 400])
})

/** Returns the modules that a program loads. */
function loadedBy(shop: Workshop, ...args: string[]): readonly string[] {
  const record = new URL('../support/record-modules.js', import.meta.url).href
  const { stdout } = shop.node('--import', record, ...args)
  const [, list = '[]'] = /^LOADED (.*)$/m.exec(stdout) ?? []
  return JSON.parse(list) as string[]
}

function loadedByShop(t: TestContext, preload: string): readonly string[] {
  const shop = createWorkshop(t, 'cli/shop')
  shop.succeed('build', 'app.js')
  return loadedBy(shop, '--import', preload, 'main.js')
}

const COMPILERS =
  /node_modules\/(ajv|ajv-formats|fast-json-stringify|fast-uri|ts-morph|@ts-morph|rollup|esbuild)\//

test('with an artifact no compiler is loaded, nor anything that only some applications need', (t) => {
  const loaded = loadedByShop(t, './.framework/register.js')
  assert.ok(loaded.some((module) => module.includes('/runtime/dist/index.js')))
  assert.ok(loaded.some((module) => /\.framework\/chunks\//.test(module)))
  assert.deepEqual(
    loaded.filter((module) => COMPILERS.test(module) || module.includes('/compiler/dist/')),
    [],
  )
  assert.deepEqual(
    loaded.filter((module) => /node_modules\/(pino|proxy-addr|semver)\//.test(module)),
    [],
  )
})

test('the list of loaded modules shows compilers if there are any', (t) => {
  assert.ok(loadedByShop(t, 'framework/development').some((module) => COMPILERS.test(module)))
})

test('a build loads few files of its own, the parser of TypeScript alone, and nothing that joins modules', (t) => {
  const shop = createWorkshop(t, 'cli/shop')
  const command = join(shop.folder, 'node_modules/framework/dist/command.js')
  const loaded = loadedBy(shop, command, 'build', 'app.js')
  assert.ok(loaded.some((module) => /node_modules\/ajv\//.test(module)))
  assert.deepEqual(
    loaded.filter((module) => /node_modules\/(ts-morph|@ts-morph|rollup|@rollup)\//.test(module)),
    [],
  )
  const own = loaded.filter(
    (module) => !/node_modules\/(?!framework\/)/.test(module) && /\/dist\//.test(module),
  )
  assert.ok(own.some((module) => module.endsWith('/compiler/dist/cli.js')))
  assert.ok(own.length < 60, own.join('\n'))
})
