/** Tests that all instances of an entry are compiled, each with its own options. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

/** Two instances with the same URLs, the same `$id` and other options; a third without schemas. */
const APP = `
import create from 'framework'
import { metrics } from './metrics.js'

const app = create({ ajv: { plugins: [(ajv) => { ajv.addKeyword('note') }] } })
const health = create()
const body = { type: 'object', properties: { n: { type: 'number', note: '' }, s: { $ref: 's#' } } }
app.addSchema({ $id: 's', type: 'number' })
app.register(async (child) => {
  child.post('/', { schema: { body, response: { 200: body } } }, async (request) => request.body)
}, { prefix: '/v1' })
app.get('/', { schema: { querystring: { note: 1, properties: { n: { type: 'number' } } } } }, async (request) => request.query)
health.get('/', async () => 'up')

for (const one of [app, metrics, health]) {
  await one.ready()
  for (const url of ['/?n=1', '/v1', '/v1/']) {
    const { statusCode, body } = await one.inject({
      method: url === '/?n=1' ? 'GET' : 'POST',
      url,
      ...(url !== '/?n=1' && { payload: { n: '1', s: '2', extra: 3 } }),
    })
    console.log(statusCode, body)
  }
}
if (process.env.LISTEN) app.listen({ port: 0 })
`

const METRICS = `
import create from 'framework'

export const metrics = create({
  jsonShorthand: false,
  exposeHeadRoutes: false,
  ajv: { customOptions: { coerceTypes: false, keywords: ['note'] } },
  serializerOpts: { rounding: 'ceil' },
})
const body = { type: 'object', properties: { n: { type: 'string', note: '' }, s: { $ref: 's#' } } }
metrics.addSchema({ $id: 's', type: 'string' })
metrics.post('/v1', { schema: { body, response: { 200: { type: 'object', properties: { n: { type: 'integer' } } } } } }, async () => ({ n: 1.5 }))
metrics.get('/', { schema: { querystring: { type: 'object', properties: { n: { type: 'number' } } } } }, async (request) => request.query)
`

test('an entry with several instances is built, checked and deployed with all of them', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.install('fastify')
  shop.writeApp(APP)
  shop.write('metrics.js', METRICS)
  shop.write('fastify/app.js', APP.replace("'framework'", "'fastify'"))
  shop.write('fastify/metrics.js', METRICS.replace("'framework'", "'fastify'"))
  const expected = shop.node('fastify/app.js').stdout
  assert.equal(expected.split('\n').length, 10)

  for (const option of ['--verify', '--trace', '--allow-dynamic']) {
    const stdout = shop.succeed('build', 'app.js', option)
    assert.match(stdout, /root#2 {2}adds s\n {2}POST {3}\/v1/)
    assert.doesNotMatch(stdout, /root#3/)
    const started = shop.start('app.js')
    assert.equal(started.stdout, expected, started.stderr)
    assert.equal(shop.framework('check', 'app.js').status, 0)
  }
  assert.equal(shop.develop('app.js').stdout, expected)

  shop.succeed('deploy', 'app.js', '--target', 'node')
  shop.write('run.js', "await import('./.framework/deploy/node/index.js')\nprocess.exit()")
  assert.ok(
    shop.node('--disallow-code-generation-from-strings', 'run.js').stdout.startsWith(expected),
  )

  shop.edit('metrics.js', "type: 'number'", "type: 'integer'")
  assert.notEqual(shop.framework('check', 'app.js').status, 0)
})

test('instances that differ only in a plugin are refused', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const instance = (name: string, maximum: number): string => `
const ${name} = framework({ ajv: { plugins: [(ajv) => { ajv.addKeyword({ keyword: 'most', macro: () => ({ maximum: ${maximum} }) }) }] } })
${name}.get('/', { schema: { querystring: { type: 'object', properties: { n: { most: true } } } } }, async () => '')
`
  const head = "import framework from 'framework'\n"
  shop.writeApp(head + instance('one', 1) + instance('two', 2))
  const stderr = shop.fail('build', 'app.js')
  assert.match(stderr, /ajv\.plugins\.0` decides .* another instance has the same options/)
  shop.writeApp(head + instance('one', 1) + instance('two', 1))
  assert.equal(shop.framework('build', 'app.js').status, 0)
})

test('a module that the entry imports does not start as if it were the main module', (t) => {
  const isMain = [
    '`file://${process.argv[1]}` === import.meta.url',
    'import.meta.url === pathToFileURL(process.argv[1]).href',
    'process.argv[1] === fileURLToPath(import.meta.url)',
  ]
  const shop = createWorkshop(t, 'cli/empty', {
    'build.js': `import { argv } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import create from 'framework'

const [, , prefix = '', ...more] = argv
export const build = () => create({ prefix, ...(more.includes('--log') && { logger: true }) })
${isMain.map((check) => `if (${check}) build().listen({ port: 0 })`).join('\n')}
`,
    'app.js':
      "import { build } from './build.js'\nexport default () => {\n  const app = build()\n  app.get('/', () => 1)\n  return app\n}\n",
  })
  shop.succeed('build', 'app.js')
  const { start, contexts } = shop.manifest()
  assert.deepEqual(start, { kind: 'factory', path: ['default'] })
  assert.equal(contexts.length, 1)
})

test('a plugin gets the options that fastify-cli passes on if a script says so', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const start = (script: string): void =>
    shop.write(
      'package.json',
      `{ "type": "module", "scripts": { "start": "${script}" }, "dependencies": { "fastify-cli": "8" } }`,
    )
  shop.writeApp(`export default async (app) => {
  const body = { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } }
  app.post('/', { schema: { body } }, async (request) => request.body)
  app.addHook('onReady', async () => {
    setTimeout(async () => {
      const { body } = await app.inject({ method: 'POST', url: '/', payload: { tags: 'one', more: 1 } })
      console.log(body)
      process.exit()
    })
  })
}
export const options = { ajv: { customOptions: { coerceTypes: 'array', removeAdditional: 'all' } } }
`)
  shop.write(
    'main.js',
    `import framework from 'framework'
import plugin, { options } from './app.js'
const app = framework(options)
app.register(plugin)
await app.ready()
`,
  )
  start('fastify start --options app.js')
  assert.match(shop.succeed('build', 'app.js'), /npx fastify start --options app\.js/)
  assert.equal(shop.start('main.js').stdout, '{"tags":["one"]}\n')
  shop.succeed('build', 'app.js', '--verify')
  shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'out')
  assert.equal(shop.node('out').stdout.split('\n').at(-2), '{"tags":["one"]}')
  start('fastify start app.js')
  shop.succeed('build', 'app.js')
  assert.match(
    shop.start('main.js').stderr,
    /other options than those that the build knows.*, as with `fastify start --options`/,
  )
})

const declarations = `app.addSchema({ $id: 'book', type: 'object', properties: { title: { type: 'string' } } })
app.register(async (child) => {
  child.post('/books', { schema: { body: { $ref: 'book#' } } }, async ({ body }) => body)
}, { prefix: '/v1' })
if (process.env.MORE) app.get('/more', async () => 1)
await app.listen({ port: 3000 })
`

test('instances of which one is created are one instance, if they declare the same', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'app.js': `import { existsSync } from 'node:fs'
import framework from 'framework'
function secure() {
  if (process.env.NODE_ENV !== 'development') return undefined
  if (!existsSync('/key.pem') || !existsSync('/certificate.pem')) return undefined
  return { key: 'key', cert: 'certificate' }
}
const https = secure()
const app = https ? framework({ logger: true, https }) : framework()
${declarations}`,
    'other-options.js': `import framework from 'framework'
const app = process.env.STRICT ? framework({ ajv: { customOptions: { coerceTypes: false } } }) : framework()
${declarations}`,
    'other-routes.js': `import framework from 'framework'
const isLocal = process.env.A === '1'
const app = isLocal ? framework() : framework()
if (isLocal) app.get('/a', { schema: { querystring: { type: 'object' } } }, async () => 1)
${declarations}`,
  })
  const contextsOf = (entry: string): readonly string[] => {
    shop.succeed('build', entry, '--no-boot')
    const all = shop.manifest().contexts.map(({ context }) => context)
    return all.filter((context) => !context.includes('>'))
  }
  const one = ['root']
  const two = ['root', 'root#2']
  assert.deepEqual(contextsOf('app.js'), one)
  assert.deepEqual(contextsOf('other-options.js'), two)
  assert.deepEqual(contextsOf('other-routes.js'), two)
})
