import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { test } from 'node:test'
import { assertRefused, serve } from '../support/artifact-starts.ts'
import { runsAll } from '../support/runs.ts'
import { createBuiltShop, createWorkshop } from '../support/workshop.ts'

const served = { statusCode: 201, body: '{"id":1,"name":"5"}' }

test('an artifact that no application uses is a warning', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const make = (from: string): string => `(await import('${from}')).default().ready();\n`
  // The warning comes a second after the start.
  const wait = 'setTimeout(() => {}, 1100)\n'
  const fastify = import.meta.resolve('fastify')
  shop.writeApp(`${make('framework')}${wait}`)
  shop.succeed('build', 'app.js', '--quiet')
  const run = (text: string): string => {
    shop.write('run.js', text)
    return shop.node('--import', './.framework/register.js', 'run.js').stderr
  }
  assert.match(
    run(`${make(fastify)}${make(fastify)}${wait}`),
    /^\(node:\d+\) FrameworkWarning: Fastify itself is used, which compiles every schema: [^\n]*"--import framework\/fastify"[^\n]*\n\([^\n]*\n$/,
  )
  // Instances that a package makes for itself don't count.
  assert.equal(run(`${make(fastify)}${make('framework')}${wait}`), '')
  // A process that ends before that prints nothing.
  assert.equal(run(make(fastify)), '')
})

test('test files of Jest that create no application are no reason for that warning', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'package.json': { private: true, jest: { setupFiles: ['./.framework/register.js'] } },
    'app.js': `const framework = require('framework')
module.exports = () => framework().get('/', { schema: { querystring: {} } }, async () => 'answer')\n`,
    // Jest runs the larger file first.
    'none.test.js': `test('runs', () => {})\n${'// Nothing.\n'.repeat(99)}`,
    'app.test.js': `const build = require('./app')
test('answers', async () => {
  expect((await build().inject('/')).body).toBe('answer')
  await new Promise((done) => setTimeout(done, 1100))
})
`,
  })
  shop.install('jest')
  shop.succeed('build', 'app.js', '--quiet')
  const { stderr } = shop.node('node_modules/jest/bin/jest.js', '--runInBand', '--no-cache')
  assert.match(stderr, /Tests: +2 passed, 2 total/)
  assert.doesNotMatch(stderr, /FrameworkWarning/)
})

test('the factory takes an artifact', (t) => {
  const shop = createBuiltShop(t)
  for (const file of ['index.mjs', 'worker.mjs']) {
    shop.write(
      'explicit.js',
      `import artifact from './.framework/${file}'\nglobalThis.shopOptions = { aot: { artifact } }\nawait import('./main.js')\n`,
    )
    assert.deepEqual(shop.answer('explicit.js'), served)
  }
})

test('without an artifact, ready() fails and says what to run', (t) => {
  const shop = createWorkshop(t, 'cli/shop')
  // With source maps, stack traces have the paths of this package's sources.
  for (const flags of [[], ['--enable-source-maps']]) {
    const { stdout } = shop.node(...flags, 'main.js')
    const { code, message } = JSON.parse(stdout) as Record<string, string>
    assert.equal(code, 'FST_ERR_AOT_ARTIFACT_MISSING')
    assert.match(message ?? '', /GET \/items\/:id, params \(declared at items\.js:2:\d+\)/)
    assert.match(message ?? '', /Run "framework build <entry>" and preload/)
  }
  // Without an entry, the command uses that of the existing artifact.
  shop.framework('build', 'app.js')
  const { message } = JSON.parse(shop.node('main.js').stdout) as { message: string }
  assert.match(message, /Run "framework build" and preload/)
})

test('a start before any build ends with the error of Node that docs/reference/artifact.md shows', (t) => {
  const shop = createWorkshop(t, 'cli/shop')
  const { status, stderr } = shop.start('main.js')
  assert.equal(status, 1)
  assert.match(
    stderr,
    /Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module '\S*[/\\]\.framework[/\\]register\.js'/,
  )
})

test('after a failed start, no route with a schema answers', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const source = (type: string): string => `import framework from 'framework'
const app = framework()
const querystring = { type: 'object', properties: { n: { type: '${type}' } } }
for (const path of ['/first', '/second']) app.get(path, { schema: { querystring } }, () => 'served')
app.addHook('onRequest', async (_, reply) => void reply.header('hook', 'ran'))
app.get('/free', () => 'free')
await app.ready().catch(() => {})
for (const path of ['/first?n=x', '/second?n=x', '/second?n=1', '/free']) {
  const { statusCode, payload, headers } = await app.inject(path)
  console.log(statusCode, payload.includes('served'), path === '/free' && headers.hook)
}
`
  shop.writeApp(source('integer'))
  assert.equal(shop.framework('build', 'app.js').status, 0)
  const refused = '500 false false\n500 false false\n500 false false\n200 false ran\n'
  shop.writeApp(source('number'))
  assert.equal(shop.start('app.js').stdout, refused, 'a schema that changed')
  shop.writeApp(source('integer'))
  assert.equal(shop.node('app.js').stdout, refused, 'no artifact')
  const manifest = shop.list('.framework').find((file) => /^chunks.*\.json$/.test(file))
  shop.write(`.framework/${manifest}`, '{}')
  assert.equal(shop.start('app.js').stdout, refused, 'a damaged artifact')
})

test('options that the build does not know refuse every function of their kind', (t) => {
  const shop = createBuiltShop(t)
  for (const options of [
    '{ ajv: { customOptions: { coerceTypes: false } } }',
    "{ serializerOpts: { rounding: 'ceil' } }",
    '{ ajv: { plugins: [(ajv) => ajv] } }',
  ]) {
    shop.write('given.js', `globalThis.shopOptions = ${options}\nawait import('./main.js')\n`)
    const { stdout } = shop.start('given.js')
    const { code, message } = JSON.parse(stdout) as Record<string, string>
    assert.equal(code, 'FST_ERR_AOT_FUNCTION_MISSING')
    assert.match(message ?? '', /this instance has other options than .* come from outside/)
  }
})

/** Creates an application that prints the causes of logged errors. */
const APP_WITH_LOG = `
import framework from 'framework'
import { Writable } from 'node:stream'
const log = new Writable({ write: (chunk, _, done) => { console.log(JSON.parse(chunk).err?.cause ?? JSON.parse(chunk).err?.stack); done() } })
const app = framework({ logger: { level: 'error', stream: log } })
const querystring = { type: 'object', properties: { n: { type: 'integer' } } }
`

const ROUTES = `
app.get('/first', { schema: { querystring } }, async () => 'served')
app.get('/second', { schema: { querystring } }, async () => 'served')
for (const url of ['/first', '/first', '/second'])
  await app.inject(url).then(({ body }) => console.log(body), ({ message }) => console.log(message))
`

test('an artifact of another entry is reported at startup and by every request', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const other = ROUTES.replaceAll('querystring }', "querystring: { type: 'object' } }").replaceAll(
    /first|second/g,
    'other$&',
  )
  shop.write('other.js', APP_WITH_LOG + other)
  shop.writeApp(APP_WITH_LOG + ROUTES)
  assert.equal(shop.framework('build', 'other.js').status, 0)
  const { stdout } = shop.start('app.js')
  assert.match(
    stdout,
    /^The artifact has no .* built from "other\.js", and this process runs "app\.js"\. Run "framework build app\.js"\.\n/,
  )
  assert.doesNotMatch(stdout, /a handler compiles this schema/)
  // The first request rejects. The other two get 500, and the log has the cause.
  assert.equal(stdout.split('caused by: FastifyError: The artifact has no validator').length, 3)
})

test('a schema that only a handler knows is reported with its route', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const handlers = `
app.get('/a', async (request) => request.validateInput({}, { type: 'object', minProperties: 1 }))
app.get('/c', async (request) => request.validateInput({}, { type: 'object', minProperties: 2 }, 'querystring'))
app.get('/b', async (_, reply) => reply.serializeInput({}, { type: 'object', properties: { b: { type: 'string' } } }))
app.get('/', { schema: { querystring } }, async () => 'served')
await app.inject('/a')
await app.inject('/b')
await app.inject('/c')
`
  shop.writeApp(APP_WITH_LOG + handlers)
  assert.equal(shop.framework('build', 'app.js').status, 0)
  const { stdout } = shop.start('app.js')
  for (const what of [
    'validator for GET /a',
    'validator for GET /c, querystring',
    'serializer for GET /b',
  ])
    assert.match(
      stdout,
      new RegExp(`no ${what} \\(declared at app\\.js:\\d+:1\\): a handler compiles this schema`),
    )
  assert.match(stdout, /serializer compiler of your own\.$/m)
  assert.doesNotMatch(stdout, /Run "/)
})

test('an artifact of another version is refused', (t) => {
  const shop = createBuiltShop(t)
  const head = shop.read('.framework/register.js')
  for (const [edited, words] of [
    [head.replace('"version":"', '"version":"0.0.'), /by version 0\.0\.\S+ of framework/],
    [head.replace('"format":', '"format":1'), /by version \S+, form 1\d+, of framework/],
  ] as const) {
    shop.write('.framework/register.js', edited)
    assertRefused(shop, 'FST_ERR_AOT_ARTIFACT_VERSION', words, /framework build/)
  }
})

test('every file that is needed is refused when it is edited, cut, longer or missing, at ready() or by the request', (t) => {
  const damages: readonly ((content: string) => string | undefined)[] = [
    (content) => content.replace(/\d/, (digit) => (digit === '1' ? '2' : '1')),
    (content) => content.slice(0, -1),
    (content) => `${content} `,
    () => undefined,
  ]
  const shop = createBuiltShop(t)
  shop.write('lazy.js', "globalThis.shopOptions = { aot: { check: 'first-request' } }\n")
  const files = shop.list('.framework').filter((file) => /^chunks./.test(file))
  assert.deepEqual(files.map((file) => extname(file)).sort(), ['.cjs', '.json'])
  for (const file of files) {
    const path = `.framework/${file}`
    const content = shop.read(path)
    for (const damage of damages) {
      const changed = damage(content)
      if (changed === undefined) rmSync(join(shop.folder, path))
      else shop.write(path, changed)
      const { code, message } = serve(shop)
      assert.equal(code, 'FST_ERR_AOT_ARTIFACT_DAMAGED')
      assert.ok(message.includes(basename(file)), message)
    }
    // It is missing by now.
    const late = serve(shop, '--import', './lazy.js') as unknown as typeof served
    assert.equal(late.statusCode, 500)
    assert.equal((JSON.parse(late.body) as { code: string }).code, 'FST_ERR_AOT_ARTIFACT_DAMAGED')
    shop.write(path, content)
  }
  assert.deepEqual(serve(shop), served)
})

test('two builds from two folders give identical bytes', (t) => {
  const [a, b] = [createBuiltShop(t), createBuiltShop(t)]
  const files = a.list('.framework')
  assert.deepEqual(b.list('.framework'), files)
  for (const file of files.filter((name) => name.includes('.')))
    assert.equal(b.read(`.framework/${file}`), a.read(`.framework/${file}`), file)
})

test('a failed build leaves the previous artifact whole', (t) => {
  const shop = createBuiltShop(t)
  const before = shop.list('.framework')
  shop.edit('items.js', "{ $ref: 'price#' }", "{ $ref: 'prise#' }")
  const stderr = shop.fail('build', 'app.js')
  assert.match(stderr, /AOT_REF_UNRESOLVED/)
  assert.match(stderr, /Did you mean "price"\?/)
  assert.deepEqual(shop.list('.framework'), before)
  shop.edit('items.js', "{ $ref: 'prise#' }", "{ $ref: 'price#' }")
  assert.deepEqual(serve(shop), served)
})

test('the chunks of the previous artifact stay for one build', (t) => {
  const shop = createBuiltShop(t)
  const chunks = (): string[] =>
    shop.list('.framework').filter((file) => /^chunks.*\.cjs$/.test(file))
  const generations = [chunks()]
  for (const limit of [21, 22]) {
    shop.edit('items.js', `maxLength: ${limit - 1}`, `maxLength: ${limit}`)
    shop.succeed('build', 'app.js')
    const [previous = []] = generations
    generations.unshift(chunks().filter((file) => !previous.includes(file)))
    assert.equal(generations[0]?.length, 1)
    assert.deepEqual(chunks(), [...previous, ...(generations[0] as string[])].sort())
    assert.deepEqual(serve(shop), served)
    // Nothing changes: the previous generation stays as well.
    shop.succeed('build', 'app.js')
    assert.equal(chunks().length, 2)
  }
})

test('a process goes on with the artifact that it was started with, while another is built', (t) => {
  const shop = createBuiltShop(t)
  shop.write(
    'rebuild.js',
    `import { readFileSync, writeFileSync } from 'node:fs'
import { build } from '@framework/compiler'
import shop from './app.js'
const app = shop({ aot: { check: 'first-request' } })
await app.ready()
writeFileSync('items.js', readFileSync('items.js', 'utf8').replace('maxLength: 20', 'maxLength: 21'))
await build({ entry: 'app.js', out: '.framework' })
const { statusCode, body } = await app.inject({ method: 'POST', url: '/items', payload: { name: 5, extra: true } })
console.log(JSON.stringify({ statusCode, body }))
`,
  )
  assert.deepEqual(shop.answer('--import', './.framework/register.js', 'rebuild.js'), served)
})

test('an interrupted build leaves a whole artifact, the previous or the new one', async (t) => {
  const shop = createBuiltShop(t)
  shop.succeed('build', 'app.js')
  for (let delay = 100; delay <= 1000; delay += runsAll ? 150 : 300) {
    shop.edit('items.js', 'maxLength: 20', 'maxLength: 21')
    await shop.interrupt(delay, 'build', 'app.js')
    const changed = serve(shop)
    if (changed.code !== undefined) {
      // Interrupted before it was done: the previous artifact refuses the change and serves what it was built for.
      assert.equal(changed.code, 'FST_ERR_AOT_FUNCTION_MISSING')
      shop.edit('items.js', 'maxLength: 21', 'maxLength: 20')
      assert.deepEqual(serve(shop), served)
    } else {
      assert.deepEqual(changed, served)
      shop.edit('items.js', 'maxLength: 21', 'maxLength: 20')
      shop.succeed('build', 'app.js')
    }
  }
  shop.succeed('build', 'app.js')
  assert.ok(!shop.list('.framework').some((file) => /\.writing-\d+$/.test(file)))
})
