/** Entries that start themselves only where they are the main module: build, boot and deployment agree that they do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

const query = "{ type: 'object', properties: { page: { type: 'number' } } }"

/** Looks for a free port, as packages do. The scan can't follow it. */
const probe = `
    const { createServer } = await import('node:net')
    const probe = createServer()
    await new Promise((listening) => probe.listen(0, listening))
    if (probe.address().port > 0 && probe.listening) await new Promise((closed) => probe.close(closed))`

/** Creates the application in another file, so that the entry exports nothing but factories. */
const server = (looksForPort: boolean): string => `
export class Server {
  async start(port) {${looksForPort ? probe : ''}
    this.app = fastify()
    await this.app.register(async (app) => app.get('/', { schema: { querystring: ${query} } }, async () => 'home'))
    this.app.get('/late', { schema: { querystring: ${query} } }, async () => 'late')
    await this.app.listen({ port, host: '127.0.0.1' })
    console.log('listens')
    setTimeout(() => process.exit(), 100)
  }
}
`
const start = 'const start = (port = 0) => new Server().start(port)\n'
const calls = [
  ['start()', true],
  ['start()', false],
  ['await start()', true],
] as const
const isMain = {
  url: 'import.meta.url === `file://${process.argv[1]}`',
  path: 'fileURLToPath(import.meta.url) === process.argv[1]',
  resolved: 'process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url',
  meta: 'import.meta.main',
  commonjs: 'require.main === module',
}

for (const [name, condition] of Object.entries(isMain)) {
  for (const [call, looksForPort] of calls) {
    const isCommonJs = name === 'commonjs'
    if (isCommonJs && call.startsWith('await')) continue
    const how = looksForPort ? ', which looks for a port' : ''
    test(`an entry that exports its factory and starts itself: if (${condition}) ${call}${how}`, (t) => {
      const shop = createWorkshop(t, 'cli/empty')
      const guarded = `if (${condition}) ${call}\n`
      if (isCommonJs) {
        shop.write(
          'server.cjs',
          `const fastify = require('fastify')\n${server(looksForPort).replace('export class', 'exports.Server = class')}`,
        )
        shop.write(
          'app.cjs',
          `const { Server } = require('./server.cjs')\n${start}${guarded}module.exports = { start }\n`,
        )
      } else {
        shop.write('server.js', `import fastify from 'fastify'\n${server(looksForPort)}`)
        shop.write(
          'app.js',
          `import { fileURLToPath, pathToFileURL } from 'node:url'\nimport { Server } from './server.js'\n${start}${guarded}export { start }\n`,
        )
      }
      const entry = isCommonJs ? 'app.cjs' : 'app.js'
      shop.succeed('build', entry)
      const { start: found, bootStop, routes } = shop.manifest()
      assert.deepEqual(
        { found, bootStop, routes: routes.map(({ method, url }) => `${method} ${url}`).sort() },
        {
          found: { kind: 'itself' },
          bootStop: undefined,
          routes: ['GET /', 'GET /late', 'HEAD /', 'HEAD /late'],
        },
      )
      shop.succeed('deploy', entry, '--target', 'node', '--out', 'out')
      const { stdout, stderr, status } = shop.node('out')
      assert.deepEqual({ stdout, status }, { stdout: 'listens\n', status: 0 }, stderr)
    })
  }
}

const schema = `{ schema: { querystring: ${query} } }`
const isMainInCommonJs = [
  'require.main === module',
  'require.main == module',
  'module === require.main',
  '!module.parent',
  'require.main?.filename === __filename',
]
/** Listens, sends a request to the route below the condition, and prints the answer. */
const answer = `(app) => app.listen({ port: 0, host: '127.0.0.1' })
  .then(() => app.inject('/late?page=2'))
  .then(({ statusCode, body }) => { console.log(statusCode, body); process.exit() })`
const late = `app.get('/late', { schema: { querystring: ${query.replace('page:', 'size: {}, page:')} } }, async ({ query }) => query)`
const home = `app.get('/', ${schema}, async () => 'home')`
const declaredAsMain: Readonly<Record<string, (isMain: string, exports: string) => string>> = {
  'adds a route': (isMain, exports) =>
    `const app = fastify()\n${home}\n${exports} app\nif (${isMain}) {\n${late}\nanswer(app)\n}\n`,
  'adds a route, and exports otherwise': (isMain, exports) =>
    exports.startsWith('export')
      ? ''
      : `const app = fastify()\n${home}\nif (${isMain}) {\n${late}\nanswer(app)\n} else ${exports} app\n`,
  'creates the application': (isMain) =>
    `if (${isMain}) main()\nasync function main() {\nconst app = fastify()\n${home}\n${late}\nawait answer(app)\n}\n`,
  'adds a route to what the factory creates': (isMain, exports) =>
    `${exports} build\nfunction build() {\nconst app = fastify()\n${home}\nreturn app\n}\nif (${isMain}) {\nconst app = build()\n${late}\nanswer(app)\n}\n`,
  'gives the factory an option': (isMain, exports) =>
    `${exports} build\nfunction build({ isLate = false } = {}) {\nconst app = fastify()\n${home}\nif (isLate) ${late}\nreturn app\n}\nif (${isMain}) answer(build({ isLate: true }))\n`,
  'registers a plugin': (isMain, exports) =>
    `const app = fastify()\n${exports} app\nif (${isMain}) {\napp.register(async (app) => ${late})\nanswer(app)\n}\n`,
}

for (const condition of [...isMainInCommonJs, 'import.meta.main', isMain.resolved]) {
  for (const [what, program] of Object.entries(declaredAsMain)) {
    const isCommonJs = isMainInCommonJs.includes(condition)
    const source = program(condition, isCommonJs ? 'module.exports =' : 'export default')
    if (source === '') continue
    test(`an entry that ${what} where it is the main module: if (${condition})`, (t) => {
      const shop = createWorkshop(t, 'cli/empty')
      const entry = isCommonJs ? 'app.cjs' : 'app.js'
      const load = isCommonJs
        ? "const fastify = require('framework')"
        : "import fastify from 'framework'\nimport { pathToFileURL } from 'node:url'"
      shop.write(entry, `${load}\nconst answer = ${answer}\n${source}`)
      shop.succeed('build', entry)
      // Node 20 and 22 have no `import.meta.main`.
      const hasAnswer = condition !== 'import.meta.main' || 'main' in import.meta
      const { stdout, stderr } = shop.start(entry)
      assert.equal(stdout, hasAnswer ? '200 {"page":2}\n' : '', stderr)
      if (shop.manifest().start.kind !== 'itself') return
      shop.succeed('deploy', entry, '--target', 'node', '--out', 'out')
      const deployed = shop.node('out')
      assert.equal(deployed.stdout, '200 {"page":2}\n', deployed.stderr)
    })
  }
}

/** Entries whose factory creates the application for others as well. */
const factories: Readonly<Record<string, string>> = {
  'calls its factory': `if (IS_MAIN) start()\nasync function start() {\nconst app = fastify()\n${home}\nawait app.listen({ port: 0 })\n}\nEXPORTS start\n`,
  'passes options to its factory': `if (IS_MAIN) start({ port: 0 })\nasync function start({ port }) {\nconst app = fastify()\n${home}\nawait app.listen({ port })\n}\nEXPORTS start\n`,
  'listens with what its factory returns': `if (IS_MAIN) build().listen({ port: 0 })\nfunction build() {\nconst app = fastify()\n${home}\nreturn app\n}\nEXPORTS build\n`,
}

for (const isCommonJs of [true, false]) {
  for (const [what, program] of Object.entries(factories)) {
    test(`one application of an entry that ${what} where it is the main module: ${isCommonJs ? 'CommonJS' : 'ES module'}`, (t) => {
      const shop = createWorkshop(t, 'cli/empty')
      const entry = isCommonJs ? 'app.cjs' : 'app.js'
      const load = isCommonJs
        ? "const fastify = require('framework')"
        : "import fastify from 'framework'"
      const text = program
        .replace('IS_MAIN', isCommonJs ? isMain.commonjs : isMain.url)
        .replace('EXPORTS', isCommonJs ? 'module.exports =' : 'export default')
      shop.write(entry, `${load}\n${text}`)
      shop.succeed('build', entry)
      const routes = shop.manifest().routes.map(({ method, url }) => `${method} ${url}`)
      assert.deepEqual(routes, ['GET /', 'HEAD /'])
    })
  }
}
