/** In development, a start or close that hangs, or a start that fails, shows the plugin or hook with its place in the source. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

interface Wait {
  /** The code after `const app = make()`. */
  readonly text: string
  readonly code: 'FST_ERR_PLUGIN_TIMEOUT' | 'FST_ERR_HOOK_TIMEOUT'
  /** Where the error points to: a line and column of the application, where `text` starts in line 3, or of another file. */
  readonly place: string
  readonly says: string
}

const waits: Readonly<Record<string, Wait>> = {
  'a plugin without done': {
    text: "app.register(async (app) => app.get('/', () => ''))\napp.register(function db(app, options, done) {})",
    code: 'FST_ERR_PLUGIN_TIMEOUT',
    place: ':4:5',
    says: 'The plugin "db" has not come to an end after 0.2 s: it takes `done`, and has not called it.',
  },
  'an async plugin inside of another': {
    text: 'app.register(async (app) => {\n  app.register(forever)\n})',
    code: 'FST_ERR_PLUGIN_TIMEOUT',
    place: ':4:7',
    says: 'The plugin "forever" has not come to an end after 0.2 s: its promise',
  },
  'a plugin of a module, registered at two places': {
    text: "app.register(async (app) => app.register(forever, { prefix: '/a' }))\napp.register(forever)",
    code: 'FST_ERR_PLUGIN_TIMEOUT',
    place: ':4:5',
    says: ':3:33: one of these calls',
  },
  'a promise of a plugin': {
    text: "app.register(import('./never.js'))",
    code: 'FST_ERR_PLUGIN_TIMEOUT',
    place: ':3:5',
    says: 'its promise has not been resolved. See what it waits for.',
  },
  'a plugin that a package has found': {
    text: "import load from 'load'\napp.register(load, { plugin: forever })",
    code: 'FST_ERR_PLUGIN_TIMEOUT',
    place: 'never.js:1:38',
    says: 'The plugin "forever"',
  },
  'an onReady hook without done': {
    text: "app.addHook('onReady', async () => {})\napp.addHook('onReady', function connect(done) {})",
    code: 'FST_ERR_HOOK_TIMEOUT',
    place: ':4:5',
    says: 'The `onReady` hook "connect" has not come to an end after 0.2 s: it takes `done`',
  },
  'an async onReady hook of a plugin': {
    text: "app.register(async (app) => {\n  app.addHook('onReady', async () => new Promise(() => {}))\n})",
    code: 'FST_ERR_HOOK_TIMEOUT',
    place: ':4:7',
    says: 'The `onReady` hook has not come to an end after 0.2 s: its promise',
  },
  'a callback of after': {
    text: 'app.after((error, done) => {})',
    code: 'FST_ERR_PLUGIN_TIMEOUT',
    place: ':3:5',
    says: 'The callback of `after` has not come to an end after 0.2 s: it takes `done`',
  },
}

const never = 'export default async function forever(app) { await new Promise(() => {}) }\n'

const start = (from: string): string => `import framework from '${from}'
const app = framework({ pluginTimeout: 200 })
app.register(function db(app, options, done) {})
await app.listen({ port: 0 })
`

test('a start that hangs shows the pending plugin or hook, with its place', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'node_modules/load/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/load/index.js':
      'export default async (app, { plugin }) => { app.register(plugin) }\n',
    'never.js': never,
    'make.js':
      "import framework from 'framework'\nexport default () => framework({ pluginTimeout: 200 })\n",
    'fastify.js': start(import.meta.resolve('fastify')),
  })
  const titles = Object.keys(waits)
  for (const [index, { text }] of Object.values(waits).entries()) {
    shop.write(
      `app-${index}.js`,
      `import make from './make.js'; import forever from './never.js?${index}'
export const app = make()
${text}
`,
    )
  }
  shop.write(
    'main.js',
    `import make from './make.js'
const closing = make()
closing.addHook('onClose', async function disconnect() { await new Promise(() => {}) })
await closing.ready()
void closing.close()
const errors = []
for (let i = 0; i < ${titles.length}; i++) {
  const { app } = await import(\`./app-\${i}.js\`)
  errors.push(await app.ready().catch(({ code, message, stack }) => ({ code, message, stack })))
}
console.log(JSON.stringify(errors))
setTimeout(async () => {
  await import('./fastify.js')
}, 1500)
`,
  )
  const { stdout, stderr, status } = shop.develop('main.js')
  const errors = JSON.parse(stdout) as { code: string; message: string; stack: string }[]
  for (const [index, title] of titles.entries()) {
    const { code, place, says } = waits[title] as Wait
    const { message, stack } = errors[index] as (typeof errors)[number]
    assert.equal(errors[index]?.code, code, title)
    assert.match(message, /timed out|did not start in time/, title)
    assert.doesNotMatch(message, /\n/, title)
    const at = place.startsWith(':') ? `app-${index}.js${place}` : place
    for (const part of [`\n\n${at}  ${code}\n`, says, '\n> ', ' | ', '^\n'])
      assert.ok(stack.includes(part), `${title}: ${part}\n${stack}`)
    assert.match(stack, /\n {4}… \d+ more of Node and the framework$/)
    assert.doesNotMatch(stack, /\n +at /, title)
  }
  // Nothing else is shown of the error that ends the process, here with Fastify itself.
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^main\.js:3:9 {2}FST_AOT_STILL_WAITING\nThe `onClose` hook "disconnect" has not come to an end after 3 s: /,
  )
  assert.match(
    stderr,
    /\n\nFastifyError: Plugin did not start in time: 'db'\.[^]*\nfastify\.js:3:5 {2}AVV_ERR_PLUGIN_EXEC_TIMEOUT\n/,
  )
  assert.doesNotMatch(stderr, /\n +at |dist[/\\]|node:internal/)
})

test('framework dev says it, too', async (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(start('framework'))
  const dev = shop.open(['dev', 'app.js'])
  await dev.until(
    /\nFastifyError: fastify-plugin: Plugin did not start in time: 'db'\.[^\n]*\n\napp\.js:3:5 {2}FST_ERR_PLUGIN_TIMEOUT\nThe plugin "db" [^]*> 3 \| app\.register[^]* more of Node and the framework\nframework ended/,
  )
  assert.doesNotMatch(dev.output, /\n +at |node:internal/)
})

test('an error that an application logs before it ends is shown with its place', async (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
const app = framework({ pluginTimeout: 200, logger: true })
app.register(function db(app, options, done) {})
app.listen({ port: 0 }, (error) => {
  if (error) app.log.error(error)
  process.exit(1)
})
`)
  const dev = shop.open(['dev', 'app.js'])
  await dev.until(
    /^FastifyError: fastify-plugin: Plugin did not start in time: 'db'\.[^\n]*\n\napp\.js:3:5 {2}FST_ERR_PLUGIN_TIMEOUT\n/m,
  )
  await dev.until(/framework ended/)
  const { stderr } = shop.develop('app.js')
  assert.match(stderr, /^FastifyError: [^]*app\.js:3:5 {2}FST_ERR_PLUGIN_TIMEOUT\n/)
})

test('an error of a plugin is shown with its place, however the application ends', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const run = (factory: string, end: string): string => {
    shop.writeApp(`${factory}
app.register(async function db() { throw new Error('no database') })
${end}
`)
    return shop.develop('app.js').stderr
  }
  const place =
    /^app\.js:4:42\n[^]*\n> 4 \| app\.register[^]*\n\nError: no database\n {4}at [^]* more of Node and the framework\n$/
  const loud = (from: string): string =>
    `import framework from '${from}'\n\nconst app = framework({ logger: true })`
  const silent = "import framework from 'framework'\n\nconst app = framework()"
  const byCallback = 'app.listen({ port: 0 }, (error) => { app.log.error(error); process.exit(1) })'
  const byPromise = `try { await app.listen({ port: 0 }) }
catch (err) { app.log.fatal({ err }, 'not started'); await app.close(); process.exitCode = 1 }`
  assert.match(run(loud('framework'), byCallback), place)
  assert.match(run(loud(import.meta.resolve('fastify')), byPromise), place)
  // Without a logger, this is the only output.
  assert.match(run(silent, byPromise), place)
  // An error that is logged and thrown is shown once.
  const rethrown = run(silent, 'await app.ready().catch((e) => { app.log.error(e); throw e })')
  assert.match(rethrown, place)
  assert.equal(rethrown.split('Error: no database').length, 2)
  assert.equal(run(silent, byPromise.replace('exitCode = 1', 'exitCode = 0')), '')
})

test('a close that hangs shows the pending hook when nothing keeps the process alive', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const app = (from: string): string => `import framework from '${from}'
const app = framework({ pluginTimeout: 200 })
app.addHook('onClose', async function disconnect() { await new Promise(() => {}) })
app.addHook('onReady', async () => {})
await app.listen({ port: 0 })
`
  const warning =
    /app\.js:3:5 {2}FST_AOT_STILL_WAITING\nThe `onClose` hook "disconnect" has not come to an end when the process has: its promise has not been resolved\. See what it waits for\.\n\n[^]*> 3 \| app\.addHook/
  for (const from of ['framework', import.meta.resolve('fastify')]) {
    shop.writeApp(`${app(from)}await app.close()\n`)
    const { stderr } = shop.develop('app.js')
    assert.match(stderr, warning)
    assert.equal(stderr.split('STILL_WAITING').length, 2)
  }
  shop.writeApp(app('framework'))
  const dev = shop.open(['dev', 'app.js'])
  await dev.until(/framework serves/)
  dev.signal('SIGINT')
  await dev.until(warning)
})
