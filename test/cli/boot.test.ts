/** `--trace` and `--verify` boot the application, without effects outside of its process. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Manifest } from '../../compiler/index.ts'
import { root } from '../support/root.ts'
import { type Workshop, createWorkshop } from '../support/workshop.ts'

interface Report {
  readonly manifest: Manifest
  readonly summary: { readonly leftOpen?: Readonly<Record<string, number>> }
}

/** A folder with these files, and with the real Fastify installed beside the package. */
function workshop(t: TestContext, files: Readonly<Record<string, string>>): Workshop {
  const shop = createWorkshop(t, 'cli/dynamic', files)
  shop.install('fastify')
  return shop
}

function traced(shop: Workshop, entry: string, ...flags: string[]): Report {
  return shop.result<Report>('build', entry, '--trace', ...flags)
}

/** Maps `GET /x` to the known facts about the parts of the route. */
function partsOf({ manifest }: Report): Record<string, object> {
  const routes = manifest.routes.filter(({ method }) => method !== 'HEAD')
  return Object.fromEntries(routes.map(({ method, url, parts }) => [`${method} ${url}`, parts]))
}

const urlsOf = ({ manifest }: Report): readonly string[] =>
  manifest.routes.map(({ url }) => url).sort()

test('--trace lists a route once if the source does not show its prefix', (t) => {
  const shop = workshop(t, {
    'folder/loaded.js': "export default async (app) => void app.get('/loaded', () => '')",
    'prefixes.js': `import framework from 'framework'
import autoload from '@fastify/autoload'
const prefix = process.env.PREFIX ?? '/v1'
const schema = { querystring: { q: { type: 'string' } } }
const list = (name) => async (child) => { child.get('/' + name, { schema }, () => '') }
const app = framework({ exposeHeadRoutes: false })
app.register(list('a'), { prefix })
app.register(list('b'), { prefix: '/' + process.env.NONE + '/x' })
app.register(async function outer(child) {
  child.get('/c', () => '')
  child.register(list('d'), { prefix: '/in' })
}, { prefix })
if (process.env.NONE) app.register(list('e'), { prefix })
else app.register(list('f'), { prefix })
app.register(autoload, { dir: new URL('folder', import.meta.url).pathname, options: { prefix } })
export default app
`,
  })
  shop.install('@fastify')
  assert.deepEqual(urlsOf(traced(shop, 'prefixes.js')), [
    '/undefined/x/b',
    '/v1/a',
    '/v1/c',
    '/v1/e',
    '/v1/f',
    '/v1/in/d',
    '/v1/loaded',
  ])
})

test('--trace waits for `listen` as long as it takes; without it, for a second without declarations', (t) => {
  const application = (end: string): string => `import framework from 'framework'
import { setTimeout } from 'node:timers/promises'
setInterval(() => undefined, 1000)
const app = framework({ exposeHeadRoutes: false })
const start = async () => {
  for (const url of ['/a', '/b', '/c']) {
    await setTimeout(${end === '' ? 600 : 1100})
    app.get(url, () => '')
  }
  ${end}
}
start()
`
  const shop = workshop(t, {
    'listens.js': application('await app.listen({ port: 0 })'),
    'silent.js': application(''),
    'server.js': application("(await import('node:http')).createServer(app.routing).listen(0)"),
  })
  for (const entry of ['listens.js', 'silent.js', 'server.js']) {
    assert.deepEqual(urlsOf(traced(shop, entry)), ['/a', '/b', '/c'], entry)
  }
})

test('--trace takes a schema out of a store; the artifact then serves it without generating code', (t) => {
  const shop = workshop(t, {})
  const stdout = shop.succeed('build', 'app.js', '--trace', '--boot-timeout', '1e9')
  assert.match(stdout, /POST +\/stored {2}\[body \(traced\)\]/)
  assert.match(stdout, /^Parts: 1 compiled, 1 traced$/m)
  type Served = { readonly known: string; readonly stored: { readonly message: string } }
  const served = shop.answer<Served>('--import', './.framework/register.js', 'main.js')
  assert.equal(served.known, '{"id":7}')
  assert.equal(served.stored.message, "body must have required property 'name'")
})

test('--trace finds routes, contexts, shared schemas and options that the source does not show', (t) => {
  const shop = workshop(t, {
    'wide.js': `
      import framework from 'framework'
      import { load } from './store.js'
      const store = await load()
      const app = framework({ ajv: { customOptions: store.schemaOf('ajv') } })
      app.addSchema({ ...store.schemaOf('item'), $id: 'item' })
      app.addSchema({ $id: 'plain', type: 'string' })
      for (const url of store.schemaOf('urls')) {
        app.post(url, { schema: { body: { $ref: 'item#' } } }, async () => 'ok')
      }
      const name = store.schemaOf('plugin')
      const { default: plugin } = await import('./' + name)
      app.register(plugin, { prefix: store.schemaOf('prefix') })
      if (process.env.NEVER) app.get('/never', { schema: { querystring: { a: { type: 'string' } } } }, async () => 'ok')
      export default app`,
    'inner.js': `
      export default async function inner(app) {
        app.addSchema({ $id: 'inner', type: 'integer' })
        app.get('/:id', { schema: { params: { id: { $ref: 'inner#' } } } }, async () => 'ok')
      }`,
    'store.json': JSON.stringify({
      item: { type: 'object' },
      urls: ['/a', '/b'],
      plugin: 'inner.js',
      prefix: '/inner',
      ajv: { coerceTypes: false },
    }),
  })
  shop.fail('build', 'wide.js', '--no-boot')
  const report = traced(shop, 'wide.js')
  assert.deepEqual(partsOf(report), {
    'POST /a': { body: 'traced' },
    'POST /b': { body: 'traced' },
    'GET /never': { querystring: 'literal' },
    'GET /inner/:id': { params: 'traced' },
  })
  assert.deepEqual(report.manifest.dynamic, [])
  shop.edit('wide.js', "app.get('/never'", "app.get(store.schemaOf('never')")
  const open = shop.fail('build', 'wide.js', '--trace')
  assert.match(open, /AOT_ROUTE_NOT_STATIC[^]*\n1 problem; /)
  assert.equal(traced(shop, 'wide.js', '--allow-dynamic').manifest.dynamic.length, 1)
  assert.deepEqual(
    report.manifest.contexts.map(({ context, schemas }) => [context, schemas.toSorted()]),
    [
      ['root', ['item', 'plain']],
      ['root > inner', ['inner']],
    ],
  )
  const served = shop.start(
    '--input-type=module',
    '--eval',
    "import app from './wide.js'; console.log((await app.inject({ method: 'POST', url: '/a', payload: {} })).body)",
  )
  assert.equal(served.stdout.trim(), 'ok', served.stderr)
})

const touch = (name: string): string =>
  `(await import('node:fs')).writeFileSync(${JSON.stringify(name)}, '')`

test('an application that listens, waits and keeps its process alive is booted up to the point where it is ready', (t) => {
  const shop = workshop(t, {
    'busy.js': `
      import { createServer } from 'node:http'
      import fastify from 'fastify'
      const app = fastify({ logger: true })
      setInterval(() => undefined, 1000)
      createServer().listen(0)
      app.addHook('onReady', async () => { ${touch('ready')} })
      app.addHook('onClose', async () => { ${touch('closed')} })
      app.get('/', { schema: { querystring: { q: JSON.parse(process.env.Q ?? '{"type":"integer"}') } } }, async () => 'ok')
      await app.listen({ port: 0 })
      ${touch('listening')}`,
  })
  const report = traced(shop, 'busy.js', '--verify')
  assert.deepEqual(partsOf(report), { 'GET /': { querystring: 'traced' } })
  assert.deepEqual(report.summary.leftOpen, { 'listening server': 1, timer: 1 })
  for (const trace of ['ready', 'closed', 'listening']) {
    assert.ok(!existsSync(join(shop.folder, trace)), trace)
  }
  const { stdout } = shop.framework('build', 'busy.js', '--trace')
  assert.match(
    stdout,
    /^Booting left open: 1 listening server, 1 timer\. The process was ended\.$/m,
  )
})

test('--trace reports places of an application that freezes built-in objects', (t) => {
  const shop = workshop(t, {
    'frozen.js': `import framework from 'framework'
Object.freeze(Error)
const app = framework({ exposeHeadRoutes: false })
const schema = { querystring: { q: { type: 'string' } } }
app.register(async (child) => {
  child.get('/' + (process.env.NONE ?? 'a'), { schema }, () => '')
})
await app.ready()
`,
  })
  const [route] = traced(shop, 'frozen.js').manifest.routes
  assert.equal(route?.url, '/a')
  assert.match(route.at, /^frozen\.js:6:/)
})

test('the boot waits for an instance that a callback of the entry completes later', (t) => {
  const shop = workshop(t, {
    'late.cjs': `
      const app = require('fastify')()
      async function main() {
        await new Promise((resolve) => setTimeout(resolve, 20))
        app.get('/late', { schema: { querystring: { [process.env.NAME ?? 'q']: { type: 'string' } } } }, async () => 'ok')
        app.listen({ port: 0 }, () => process.exit(3))
      }
      main()`,
  })
  assert.deepEqual(partsOf(traced(shop, 'late.cjs')), { 'GET /late': { querystring: 'traced' } })
})

test('a plugin, a factory and a class are booted in TypeScript, where files are found beside their sources', (t) => {
  // The scan doesn't know what a callback of Node does.
  const schema = (text: string): string =>
    `{ schema: { body: JSON.parse(await new Promise((resolve) => process.getBuiltinModule('node:fs').stat('.', () => resolve(${text}))))['item'] } }`
  const shop = workshop(t, {
    'plugin.ts': `
      import { readFileSync } from 'node:fs'
      import type { FastifyInstance } from 'fastify'
      export default async function plugin(app: FastifyInstance): Promise<void> {
        const text: string = readFileSync(new URL('./store.json', import.meta.url), 'utf8')
        app.post('/plugin', ${schema('text')}, async () => 'ok')
      }`,
    'factory.cts': `
      import { readFile } from 'node:fs/promises'
      import { join } from 'node:path'
      import fastify from 'fastify'
      enum Method { post = 'POST' }
      export async function build(options: { url: string }) {
        const app = fastify()
        const text: string = await readFile(join(__dirname, 'store.json'), 'utf8')
        app.route({ method: Method.post, url: '/factory', ...${schema('text')}, handler: async () => 'ok' })
        return { app }
      }`,
    'class.mts': `
      import { readFile } from 'node:fs/promises'
      import fastify from 'framework'
      export class Server {
        readonly app = fastify()
        constructor(private readonly name: string) {
          this.app.register(async (child) => {
            const text = await readFile(new URL('store.json', import.meta.url), 'utf8')
            child.post('/class', ${schema('text')}, async () => this.name)
          })
        }
      }`,
  })
  for (const [entry, route] of [
    ['plugin.ts', 'POST /plugin'],
    ['factory.cts', 'POST /factory'],
    ['class.mts', 'POST /class'],
  ] as const) {
    assert.deepEqual(partsOf(traced(shop, entry)), { [route]: { body: 'traced' } }, entry)
  }
})

const exported = `import framework from 'framework'
export const app = framework({ pluginTimeout: 0 })
`

test('an application that cannot be booted fails the build, with place, reason and what it printed', (t) => {
  const shop = workshop(t, {
    'throws.js': `import './settings.js'\n${exported}`,
    'settings.js':
      "if (!process.env.DATABASE_URL) {\n  console.error('set DATABASE_URL')\n  throw new Error('no database')\n}\n",
    'misses.js': `// import 'no-package'\nimport './near.js'\n${exported}`,
    'near.js': "\nexport {\n  a,\n} from 'no-package/a'\n",
    'lost.js': `${exported}  await import('./no.js')\n`,
    'exits.js': `${exported}if (!process.env.KEY) process.exit(4)\n`,
    'loops.js': `${exported}if (!process.env.KEY) for (;;);\n`,
    'stuck.js': `${exported}app.register(() => new Promise(() => undefined))\n`,
  })
  const failing = (entry: string, ...flags: string[]): string => {
    const stderr = shop.fail('build', entry, '--trace', ...flags)
    assert.ok(!existsSync(join(shop.folder, '.framework')))
    return stderr
  }
  const throws = failing('throws.js')
  assert.match(throws, /settings\.js:3:9 +AOT_BOOT_FAILS\n.*Error: no database/)
  assert.match(throws, /set DATABASE_URL/)
  assert.match(throws, /> 3 \| +throw new Error/)
  assert.match(failing('misses.js'), /near\.js:4:8 +AOT_BOOT_FAILS\n.*'no-package'/)
  assert.match(failing('lost.js'), /lost\.js:3:16 +AOT_BOOT_FAILS\n.*no\.js'/)
  const exits = failing('exits.js')
  assert.match(exits, /exits\.js:3:\d+ +AOT_BOOT_FAILS\n.*ends the process with the code 4/)
  assert.match(failing('stuck.js'), /AOT_BOOT_(?:FAILS|TIMEOUT)/)
  const loops = failing('loops.js', '--boot-timeout', '1')
  assert.match(loops, /AOT_BOOT_TIMEOUT\n.*did not finish within 1 s/)
  const { status, stderr } = shop.framework('build', 'throws.js', '--boot-timeout', 'soon')
  assert.equal(status, 2)
  assert.match(stderr, /--boot-timeout/)
})

test('--verify reports every difference, and nothing else', (t) => {
  const shop = workshop(t, {
    // As Node reads it: without a byte order mark, and `__proto__` is a name like any other.
    'shared.json':
      '\uFEFF{ "type": "object", "properties": { "__proto__": { "type": "string" } } }',
    'same.js': `
      import framework from 'framework'
      import shared from './shared.json' with { type: 'json' }
      const app = framework({ ajv: { customOptions: { allErrors: true } } })
      if (!Object.hasOwn(shared.properties, '__proto__')) throw new Error('a name is missing')
      app.addSchema({ $id: 'a', type: 'string' })
      app.register(async (child) => {
        child.addSchema({ $id: 'b', type: 'string' })
        if (process.env.MORE) child.get('/more', { schema: { querystring: { q: { $ref: 'a#' } } } }, async () => 'ok')
        child.all('/', { schema: { querystring: { q: { $ref: 'b#' } } } }, async () => 'ok')
      }, { prefix: '/child' })
      export default app`,
    'line-5.js': `
      import framework from 'framework/5'
      export async function build() {
        const app = framework({ routerOptions: { ignoreTrailingSlash: true } })
        app.addSchema({ $id: 'a', type: 'object', properties: { q: { type: 'string' } } })
        app.get('/', { schema: { querystring: { $ref: 'a#' } } }, async () => 'ok')
        app.register(async (child) => child.get('/', () => 'ok'), { prefix: '/child' })
        return app
      }`,
    'media.js': `
      import framework from 'framework/5'
      const app = framework()
      const schema = { type: 'object', properties: { a: { type: 'string' } } }
      const content = { 'text/one': { schema }, 'text/two': { schema: { type: 'string' } } }
      app.post('/', { schema: { body: { content } } }, async () => 'ok')
      // Invisible in the source.
      new Function('later', 'process.nextTick(later.run)')({ run: () => { schema.properties.a.minLength = 1 } })
      export default app`,
    'open.js': `
      import framework from 'framework'
      const response = JSON.parse(process.env.NONE ?? '{ "200": { "type": "string" } }')
      export default framework().get('/', { schema: { response } }, async () => 'ok')`,
    'other.js': `
      import framework from 'framework'
      const app = framework()
      const query = { q: { type: 'string' } }
      app.get('/', { schema: { querystring: query } }, async () => 'ok')
      new Function('later', 'process.nextTick(later.run)')({ run: () => { query.q.minLength = 1 } })
      export default app`,
  })
  for (const file of ['same.js', 'line-5.js', 'open.js'])
    shop.succeed('build', file, '--verify', '--allow-dynamic')
  assert.match(
    shop.fail('build', 'media.js', '--verify', '--server', 'fastify@5'),
    /media\.js:4:\d+ +AOT_VERIFY_ROUTE\nThe route POST \/ .*: body text\/one: .*\.minLength` is 1, not missing/,
  )
  const other = shop.fail('build', 'other.js', '--verify')
  assert.match(
    other,
    /other\.js:4:\d+ +AOT_VERIFY_ROUTE\nThe route GET \/ .*`schema\.properties\.q\.minLength` is 1, not missing/,
  )
})

test('--trace loads TypeScript for versions of @fastify/autoload that know ts-node only', (t) => {
  const shop = workshop(t, {
    'folders.ts': `import autoload from '@fastify/autoload'
import framework from 'framework'
const app = framework({ exposeHeadRoutes: false })
app.register(autoload, { dir: new URL('found', import.meta.url).pathname, forceESM: true })
export default app
`,
    'found/list.ts': `import type { FastifyInstance } from 'fastify'
export default async (app: FastifyInstance) => {
  app.get('/list', { schema: { querystring: { q: { type: 'string' } } } }, async () => [])
}
`,
  })
  mkdirSync(join(shop.folder, 'node_modules/@fastify'))
  const installed = join(shop.folder, 'node_modules/@fastify/autoload')
  symlinkSync(join(root, 'node_modules/autoload-5.0'), installed, 'dir')
  assert.deepEqual(partsOf(traced(shop, 'folders.ts')), {
    'GET /list': { querystring: 'literal' },
  })
})

test('--trace compiles TypeScript with the options that its tsconfig.json inherits', (t) => {
  const shop = workshop(t, {
    'base.json': '{ "compilerOptions": { "experimentalDecorators": true } }',
    'tsconfig.json': '{ "extends": "./base.json" }',
    'decorated.ts': `import framework from 'framework'
const urls: string[] = []
function listed(_: object, name: string) { urls.push('/' + name) }
export class Pages { @listed home() {} }
const app = framework({ exposeHeadRoutes: false })
for (const url of urls) app.get(url, async () => 'ok')
export default app
`,
  })
  assert.deepEqual(urlsOf(traced(shop, 'decorated.ts')), ['/home'])
})
