/** Builds boot the application in the sandbox beside the scan, and take what the source doesn't show. */
import assert from 'node:assert/strict'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Manifest } from '../../compiler/index.ts'
import { attempts, doors, listenForEscapes, openDoors } from '../support/escapes.ts'
import { temporaryFolder } from '../support/folders.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

/** Bodies of async functions that return a value: it depends on what JavaScript really does. */
const programs: Readonly<Record<string, string>> = {
  'a call that is awaited later': `const order = []
    const step = async (name) => { await null; order.push(name) }
    const pending = step('a'); order.push('b'); await pending
    return order`,
  'functions that take turns': `const order = []
    const walk = async (name) => { for (let i = 0; i < 3; i++) { order.push(name + i); await null } }
    await Promise.all([walk('a'), walk('b')])
    return order`,
  reactions: `const order = []
    const first = Promise.resolve().then(() => order.push('then'))
    order.push('now'); await first
    return order`,
  'microtasks, ticks and timers': `const order = []
    setTimeout(() => order.push('timeout'), 1)
    setImmediate(() => order.push('immediate'))
    queueMicrotask(() => order.push('microtask'))
    process.nextTick(() => order.push('tick'))
    await new Promise((done) => setTimeout(done, 20))
    return order.sort()`,
  'a callback of Node': `let text = 'none'
    await new Promise((done) => readFile(new URL('data.json', import.meta.url), 'utf8', (_, found) => { text = found; done() }))
    return JSON.parse(text)`,
  'a race and an event': `const bus = new EventEmitter()
    setTimeout(() => bus.emit('ready', 7), 1)
    const [value] = await once(bus, 'ready')
    return Promise.race([value, new Promise((done) => setTimeout(done, 50, 8))])`,
  'a thenable': `return { then: (done) => setTimeout(done, 1, 'thenable') }`,
  'listeners that collect': `const seen = []; const bus = new EventEmitter()
    bus.once('x', (one) => seen.push('once ' + one)); bus.on('x', (one) => seen.push(one))
    bus.emit('x', 1); bus.emit('x', 2)
    return seen`,
  'handled rejections': `const fail = async () => { throw new Error('down') }
    const [one] = await Promise.allSettled([fail()])
    return [await fail().catch(() => 'caught'), await new Promise((_, no) => no(1)).then(() => 2, () => 3), one.status]`,
  'an optional module': `return import('no-such-package').then(() => 'there', () => 'missing')`,
  'a class with an inherited getter': `class Base { static get names() { return Object.keys(this.fields) } }
    class Pet extends Base { static fields = { name: 1, age: 1 } }
    return Pet.names`,
  'a proxy and a reviver': `const named = new Proxy({}, { get: (_, name) => 'got ' + String(name) })
    return [named.thing, JSON.parse('{"a":1}', (_, value) => (value === 1 ? 2 : value))]`,
}

const names = Object.keys(programs)

function applicationOf(line: string): string {
  const routes = names.map(
    (
      name,
      i,
    ) => `app.post('/${i}', { schema: { body: { type: 'object', properties: { value: { const: await (async () => {
  ${programs[name]}
})() } } } } }, async ({ body }) => body)`,
  )
  return `import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs'
import framework from '${line}'
export async function build() {
  const app = framework()
  ${routes.join('\n')}
  return app
}
`
}

for (const line of ['framework', 'framework/5']) {
  test(`a program that JavaScript alone understands is compiled as it runs: ${line}`, (t) => {
    const shop = createWorkshop(t, 'cli/dynamic', {
      'data.json': '[1, 2]',
      'programs.js': applicationOf(line),
      'start.js': `import { build } from './programs.js'
const app = await build()
await app.ready()
const status = []
for (let i = 0; i < ${names.length}; i++) {
  const { statusCode } = await app.inject({ method: 'POST', url: '/' + i, payload: { value: 'another' } })
  status.push(statusCode)
}
console.log(JSON.stringify(status))
`,
    })
    shop.succeed('build', 'programs.js')
    const refused = shop.answer('--import', './.framework/register.js', 'start.js')
    assert.deepEqual(
      refused,
      names.map(() => 400),
    )
  })
}

function buildOf(t: TestContext, files: Readonly<Record<string, string>>): Workshop {
  const shop = createWorkshop(t, 'cli/dynamic', files)
  shop.install('fastify')
  return shop
}

/** The scan doesn't know what a callback of Node does. */
const withSchema = (value: string): string => `import framework from 'framework'
import { stat } from 'node:fs'
const app = framework()
const value = await new Promise((done) => stat('.', () => done(${value})))
app.post('/', { schema: { body: { type: 'object', properties: { value: { const: value } } } } }, async () => '')
export default app
`

/** Values that another process, machine or folder doesn't have. */
const varying = {
  clock: 'new Date().getFullYear()',
  chance: 'Math.random()',
  environment: "process.env.SOME_LIMIT ?? 'none'",
  folder: 'import.meta.dirname ?? new URL(import.meta.url).pathname',
  machine: 'process.platform',
  release: 'process.version',
}

for (const [name, value] of Object.entries(varying)) {
  test(`a value that depends on the ${name} isn't taken from a boot`, (t) => {
    const shop = buildOf(t, { 'app.js': withSchema(value) })
    assert.match(shop.fail('build', 'app.js'), /AOT_SCHEMA_NOT_STATIC/)
  })
}

test('a module that waits forever once it listens is booted', (t) => {
  const listening = 'app.listen({ port: 0 })\nawait new Promise(() => undefined)\n'
  const shop = buildOf(t, {
    'app.js': withSchema('5').replace('export default app\n', listening),
  })
  assert.match(shop.succeed('build', 'app.js'), /1 traced/)
})

test('a boot that succeeds only at this time says why', (t) => {
  const check = `if (new Date().getFullYear() !== ${new Date().getFullYear()}) throw new Error('The license has ended')\n`
  const shop = buildOf(t, { 'app.js': `${check}${withSchema('5')}` })
  assert.match(shop.fail('build', 'app.js'), /AOT_BOOT_STOPS\n.*The license has ended/)
})

test('a boot that stops before plugins of packages declare something is a warning', (t) => {
  const shop = buildOf(t, {
    'app.js': `import framework from 'framework'
import gauge from 'gauge'
const app = framework()
if (!process.env.DATABASE_URL) throw new Error('DATABASE_URL is required')
app.register(gauge)
export default app
`,
    'node_modules/gauge/package.json': '{ "name": "gauge", "version": "1.0.0" }',
    'node_modules/gauge/index.js': `const response = { 200: { type: 'string' } }
module.exports = async (app) => app.get('/gauge', { schema: { response } }, async () => '1')
`,
    '.env': 'DATABASE_URL=any\n',
  })
  const [stop, ...others] = shop.warnings('build', 'app.js')
  assert.deepEqual(others, [])
  assert.equal(stop?.code, 'AOT_BOOT_STOPS')
  assert.match(stop.message, /such as what "gauge" declares, but it stopped:.*DATABASE_URL/)
  assert.deepEqual(shop.warnings('build', 'app.js', '--env-file', '.env'), [])
  assert.match(shop.succeed('build', 'app.js', '--env-file', '.env'), /GET +\/gauge/)
})

test('a boot that takes too long says so, and that it may take longer', (t) => {
  const wait = 'const start = Date.now()\nwhile (Date.now() - start < 3000);\n'
  const busy = { 'app.js': `${wait}${withSchema('5')}` }
  const shop = buildOf(t, busy)
  assert.match(
    shop.fail('build', 'app.js', '--boot-timeout', '1'),
    /AOT_BOOT_STOPS\n.*after 1 s it was running code that does not return\. Allow more time with `--boot-timeout`\./,
  )
  shop.succeed('build', 'app.js', '--boot-timeout', '30')
})

test('a boot that needs a variable, the network, a native addon or a missing file says so, and what helps', (t) => {
  const shop = buildOf(t, {
    'variable.js': `if (!process.env.DATABASE_URL) throw new Error('DATABASE_URL is required')\n${withSchema('5')}`,
    'network.js': `import { connect } from 'node:net'\nawait new Promise((done, fail) => connect(5432, '127.0.0.1').on('connect', done).on('error', fail))\n${withSchema('5')}`,
    'addon.js': `import { createRequire } from 'node:module'\ncreateRequire(import.meta.url)('./hash.node')\n${withSchema('5')}`,
    'hash.node': '',
    'wrapped.js': `throw new Error("Cannot load addon 'file:///app/hash.node'")\n${withSchema('5')}`,
    'missing.js': `import 'hasher'\n${withSchema('5')}`,
    'node_modules/hasher/index.js': "require('./lib/hash.node')",
    '.env': 'DATABASE_URL=postgres://localhost/books\n',
    '.env.example': 'DATABASE_URL=\n',
  })
  for (const args of [[], ['--env-file', '.env.example']])
    assert.match(
      shop.fail('build', 'variable.js', ...args),
      /AOT_BOOT_STOPS\n.*DATABASE_URL is required.*Give DATABASE_URL any value in a file that you name with `--env-file`/,
    )
  shop.succeed('build', 'variable.js', '--env-file', '.env')
  assert.match(shop.fail('build', 'network.js'), /AOT_BOOT_STOPS\n.*no network.*`--trace`/)
  assert.match(
    shop.fail('build', 'addon.js'),
    /AOT_BOOT_STOPS\n.*Cannot load native addon because loading addons is disabled\. The sandbox loads no native addons\. Build with `--trace`/,
  )
  assert.match(
    shop.fail('build', 'wrapped.js'),
    /hash\.node'\. The sandbox loads no native addons\./,
  )
  assert.match(
    shop.fail('build', 'missing.js'),
    /AOT_BOOT_STOPS\n.*Cannot find module '\.\/lib\/hash\.node'.* Install or generate what is missing before the build\./s,
  )
})

test('an application that the source shows needs no boot: the artifact is the same if it stops', (t) => {
  const source = (first: string): string => `import framework from 'framework'
${first}
const app = framework()
app.post('/', { schema: { body: { type: 'object', properties: { value: { const: 5 } } } } }, async () => '')
export default app
`
  const shop = buildOf(t, { 'app.js': source('if (process.env.NONE) process.exit(1)') })
  const shown = shop.result<{ readonly manifest: Manifest }>('build', 'app.js').manifest
  shop.write('app.js', source('if (!process.env.NONE) process.exit(1)'))
  const stopped = shop.result<{ readonly manifest: Manifest }>('build', 'app.js').manifest
  assert.equal(shown.bootStop, undefined)
  assert.match(String(stopped.bootStop?.message), /it ends the process with the code 1/)
  assert.deepEqual(stopped.routes, shown.routes)
  assert.deepEqual(Object.keys(stopped.functions), Object.keys(shown.functions))
})

test('a module that is imported while the application loads, and is missing, is a warning', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const served = `import framework from 'framework/5'
export const app = framework()
app.get('/', { schema: { querystring: { type: 'object', properties: { a: { type: 'string' } } } } }, async () => 'ok')
`
  const missing = {
    "await import('absent')\n": /'absent'/,
    "const name = 'absent'\nawait import(name)\n": /'absent'/,
    "async function main() { await import('./generated/client.js') }\nawait main()\n":
      /generated.client\.js/,
  }
  for (const [code, name] of Object.entries(missing)) {
    shop.write('app.js', served + code)
    const { status, stderr } = shop.framework('build', 'app.js')
    assert.equal(status, 0, stderr)
    assert.match(stderr, /AOT_(?:BOOT_STOPS|IMPORT_NOT_FOUND)\n.*Install or generate/s)
    assert.match(stderr, name)
  }
  shop.write('app.js', `${served}await import('absent').catch(() => undefined)\n`)
  assert.doesNotMatch(shop.framework('build', 'app.js').stderr, /AOT_/)
})

test('a boot is repeated when a file changes that it has read', (t) => {
  const shop = buildOf(t, {
    'app.js': `import { readdir, readFile } from 'node:fs/promises'\n${withSchema(
      "Promise.all([readFile('value.txt', 'utf8'), readdir('parts')]).then(String)",
    )}`,
    'value.txt': 'one',
    'parts/a.txt': '',
  })
  const valueOf = (): unknown => {
    shop.succeed('build', 'app.js')
    return JSON.stringify(shop.manifest().schemas).match(/"const":"([^"]*)"/)?.[1]
  }
  assert.equal(valueOf(), 'one,a.txt')
  assert.equal(valueOf(), 'one,a.txt')
  shop.write('value.txt', 'two')
  assert.equal(valueOf(), 'two,a.txt')
  shop.write('parts/b.txt', '')
  assert.equal(valueOf(), 'two,a.txt,b.txt')
})

test('the artifact has the same bytes in every folder', (t) => {
  const shop = buildOf(t, { 'app.js': withSchema("['a', 'b']") })
  shop.succeed('build', 'app.js')
  const other = createWorkshop(t, 'cli/dynamic')
  cpSync(join(shop.folder, 'app.js'), join(other.folder, 'app.js'))
  other.succeed('build', 'app.js')
  assert.deepEqual(other.list('.framework'), shop.list('.framework'))
  assert.equal(other.read('.framework/manifest.json'), shop.read('.framework/manifest.json'))
})

test('a value is taken for a type of a library only if both boots can describe it', (t) => {
  const shop = buildOf(t, {
    'app.js': `import framework from 'framework'
import { stat } from 'node:fs'
const app = framework()
app.setValidatorCompiler(() => () => true)
const body = () => (process.env.SOME_MODE ? { type: 'object' } : () => true)
const known = await new Promise((done) => stat('.', () => done({ url: '/', body: body() })))
app.post(known.url, { schema: { body: known.body } }, async () => '')
export default app
`,
  })
  shop.succeed('build', 'app.js')
  const [{ libraries, opaque } = {}] = shop.manifest().routes
  assert.deepEqual([libraries, opaque], [undefined, ['body']])
})

test('the booted server is the installed one, whatever path its name is mapped to', (t) => {
  const shop = buildOf(t, {
    'app.js': withSchema('5'),
    'tsconfig.json': '{ "compilerOptions": { "paths": { "framework": ["./declarations.ts"] } } }',
    'declarations.ts': 'export {}',
  })
  shop.succeed('build', 'app.js')
  assert.match(JSON.stringify(shop.manifest().schemas), /"const":5/)
})

test('an application that logs in a thread is booted, without the thread', (t) => {
  const shop = buildOf(t, {
    'app.js': `import { Worker } from 'node:worker_threads'
const log = new Worker(new URL('log.js', import.meta.url))
log.once('online', () => process.exit(1))
log.unref()
log.postMessage('starts')
${withSchema('5')}`,
    'log.js': '',
  })
  shop.succeed('build', 'app.js')
  assert.match(JSON.stringify(shop.manifest().schemas), /"const":5/)
})

test('code after `listen` that creates another instance is booted as well', (t) => {
  const shop = buildOf(t, {
    'app.js': `import framework from 'framework'
import { later } from './later.js'
const app = framework()
await app.listen({ port: 0 })
await later(framework)
`,
    'later.js': `import { stat } from 'node:fs'
export const later = async (make) => {
  const metrics = make()
  const value = await new Promise((done) => stat('.', () => done('m')))
  metrics.get('/metrics', { schema: { querystring: { type: 'object', properties: { value: { const: value } } } } }, () => '')
  await metrics.ready()
}`,
  })
  shop.succeed('build', 'app.js')
  assert.match(JSON.stringify(shop.manifest().schemas), /"const":"m"/)
})

test('what a package adds to a route is compiled, although the source shows another schema', (t) => {
  const shop = buildOf(t, {
    'app.js': `import framework from 'framework'
import adds from 'adds'
const app = framework()
await app.register(adds)
app.post('/', { schema: { querystring: { type: 'object' } } }, () => '')
await app.listen({ port: 0 })
`,
    'node_modules/adds/package.json': '{ "name": "adds", "version": "1.0.0", "main": "index.js" }',
    'node_modules/adds/index.js': `module.exports = async (app) => {
  app.addHook('onRoute', (route) => {
    if (route.method === 'POST') route.schema = { ...route.schema, body: { type: 'object', required: ['a'] } }
  })
}
module.exports[Symbol.for('skip-override')] = true`,
  })
  shop.succeed('build', 'app.js')
  assert.deepEqual(Object.values(shop.manifest().functions).length, 2)
})

test('no way out of the sandbox is open for a booted application', async (t) => {
  const { port, calls, close } = await listenForEscapes()
  try {
    // The first one ends the boot. The second one returns, but nothing listens.
    const harmless = ['process.exit', 'net.Server.listen']
    const names = Object.keys(doors).filter((name) => !harmless.includes(name))
    const room = temporaryFolder(t)
    const shop = buildOf(t, {
      'doors.js': attempts(port, room, names),
      'app.js': `import { results } from './doors.js'\n${withSchema('results')}`,
    })
    cpSync(join(shop.folder, 'store.json'), join(room, 'mine'))
    shop.succeed('build', 'app.js', '--boot-timeout', '120')
    const [found] = Object.values(shop.manifest().schemas).flatMap((one) => {
      const { properties } = one as { properties?: { value?: { const: object } } }
      return properties?.value?.const ?? []
    })
    // It returns as well, but never starts: there is neither a folder nor a connection.
    const open = openDoors(found as object, names).filter(([name]) => name !== 'a nested Worker')
    assert.deepEqual(open, [])
    assert.deepEqual(readdirSync(room), ['mine'])
    assert.deepEqual(calls, [])
  } finally {
    close()
  }
})
