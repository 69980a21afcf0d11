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
