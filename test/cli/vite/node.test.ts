/** The plugin in plain Vite: the application runs in Vite's Node environment. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import WebSocket, { WebSocketServer } from 'ws'
import { root } from '../../support/root.ts'
import { createWorkshop, type Workshop } from '../../support/workshop.ts'
import type { Lasting } from '../../support/folders.ts'
import { changeApplication, files, order, startVite, until } from './scenario.ts'

const vite = join(root, 'node_modules/vite/bin/vite.js')
const config = (options: string): string => `import { defineConfig } from 'vite'
import framework from '@framework/compiler/vite'
export default defineConfig({ plugins: [framework(${options})] })
`

function createShop(t: Lasting, options = "{ entry: 'app.js' }"): Workshop {
  const shop = createWorkshop(t, 'cli/empty', { ...files, 'vite.config.js': config(options) })
  shop.install('vite')
  return shop
}

test('vite dev answers, builds again after a change, and shows a problem of the build', async (t) => {
  const shop = createShop(t)
  const server = await startVite(t, shop.folder, process.execPath, [vite])
  const look = async (url: string): Promise<string> => (await fetch(url)).text()
  await changeApplication(shop, server, look)
})

test('vite dev serves what Vite knows, and leaves the rest to the application', async (t) => {
  const shop = createShop(t)
  shop.write('index.html', '<script type="module" src="/client.ts"></script>')
  shop.write('client.ts', 'export const answer: number = 42')
  const { port } = await startVite(t, shop.folder, process.execPath, [vite])
  const get = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })).text()
  assert.match(await get('/'), /<script type="module" src="\/client\.ts">/)
  assert.match(await get('/client.ts'), /export const answer = 42/)
  assert.equal(await get('/page'), '<h1>Orders</h1>')
  assert.match(await get('/nowhere'), /Route GET:\/nowhere not found/)
})

test('a URL that is the path of a module of the application without its extension is a route', async (t) => {
  const shop = createShop(t)
  shop.write('page.js', "export const title = 'Orders'\n")
  shop.write('books/index.js', "export const books = ['Emma']\n")
  shop.edit('app.js', 'const least', "import { title } from './page.js'\nconst least")
  shop.edit('app.js', 'const least', "import { books } from './books/index.js'\nconst least")
  shop.edit('app.js', '<h1>Orders</h1>', '<h1>${title}</h1>')
  shop.edit('app.js', "'<h1>${title}</h1>'", '`<h1>${title}</h1>`')
  shop.edit('app.js', '  return app', "  app.get('/books', async () => books)\n  return app")
  const { port } = await startVite(t, shop.folder, process.execPath, [vite])
  const get = async (path: string, headers = {}): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text()
  assert.equal(await get('/page'), '<h1>Orders</h1>')
  assert.equal(await get('/books?of=Austen'), '["Emma"]')
  assert.match(await get('/page.js'), /^export const title/)
  assert.match(await get('/page', { 'sec-fetch-dest': 'script' }), /^export const title/)
})

test('@fastify/websocket gets upgrades, after a change too, and Vite and its proxy keep theirs', async (t) => {
  const shop = createShop(t)
  shop.install('@fastify')
  const chat = `import framework from 'framework'
import sockets from '@fastify/websocket'
import { greeting } from './greeting.js'
const app = framework()
app.register(sockets)
app.register(async (scope) => {
  const querystring = { type: 'object', properties: { room: { type: 'integer' } } }
  scope.get('/live', { websocket: true, schema: { querystring } }, (socket, { query }) =>
    socket.send(\`\${greeting} \${query.room}\`),
  )
})
export default app
`
  shop.write('app.js', chat)
  shop.write('greeting.js', "export const greeting = 'Hello'\n")
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  new WebSocketServer({ server: other }).on('connection', (socket) => socket.send('the other'))
  const { port: otherPort } = other.address() as AddressInfo
  const proxy = `server: { proxy: { '/other': { target: 'ws://127.0.0.1:${otherPort}', ws: true } } },`
  shop.edit('vite.config.js', 'defineConfig({', `defineConfig({ ${proxy}`)
  const server = await startVite(t, shop.folder, process.execPath, [vite])
  const first = async (path: string): Promise<string> => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`)
    t.after(() => socket.terminate())
    const signal = AbortSignal.timeout(30_000)
    const [message] = await once(socket, 'message', { signal }).catch((error: unknown) => [error])
    return String(message)
  }
  assert.equal(await first('/live?room=5'), 'Hello 5')
  assert.match(await first('/live?room=none'), /400/)
  assert.match(await first('/none'), /404/)
  assert.equal(await first('/other'), 'the other')
  const hot = new WebSocket(`ws://127.0.0.1:${server.port}/`, 'vite-ping')
  await once(hot, 'open')
  hot.close()
  shop.write('greeting.js', "export const greeting = 'Welcome'\n")
  await until(server, async () => (await first('/live?room=5')) === 'Welcome 5')
})

test('files outside of the root of Vite count, modules or not', async (t) => {
  const shop = createShop(t, "{ entry: '../app.ts' }")
  shop.edit('vite.config.js', 'defineConfig({', "defineConfig({ root: 'web',")
  shop.write('web/index.html', '<h1>Shop</h1>')
  shop.write('limit.json', '5')
  const source = `import { readFileSync } from 'node:fs'\n${shop.read('app.js')}`
    .replace("import { limit } from './limit.js'", '')
    .replace(
      'const least',
      `const limit: number = JSON.parse(readFileSync(new URL('./limit.json', import.meta.url), 'utf8'))\nconst least`,
    )
    .replace('(options)', '(options?: object)')
  shop.write('app.ts', source)
  const server = await startVite(t, shop.folder, process.execPath, [vite])
  const shows = (text: string) =>
    until(server, async () => (await order(server, { item: 'Emma', quantity: 9 })).includes(text))
  await shows('must be <= 5')
  shop.write('limit.json', '7')
  await shows('must be <= 7')
  shop.edit('app.ts', 'maximum: limit', 'maximum: limit - 1')
  await shows('must be <= 6')
})

test('a problem at the start is shown, and mended without a restart', async (t) => {
  const shop = createShop(t)
  shop.edit('app.js', 'minimum: least', 'minimum: "least"')
  const server = await startVite(t, shop.folder, process.execPath, [vite])
  assert.match(await order(server, {}), /AOT_SCHEMA_INVALID/)
  shop.edit('app.js', 'minimum: "least"', 'minimum: least')
  await until(server, async () =>
    (await order(server, {})).includes("must have required property 'item'"),
  )
})

test('an entry that listens by itself is refused with the way out', async (t) => {
  const shop = createShop(t, "{ entry: 'main.js' }")
  shop.write('main.js', "import shop from './app.js'\nawait shop().listen({ port: 0 })\n")
  const server = await startVite(t, shop.folder, process.execPath, [vite])
  assert.match(await order(server, {}), /main\.js.* listens by itself, so Vite can't pass requests/)
})

test('vite build builds the artifact, or fails with the problem and its place', (t) => {
  const shop = createShop(t)
  const build = ['build', '--ssr', 'app.js', '--logLevel', 'error']
  const built = shop.node(vite, ...build)
  assert.equal(built.status, 0, built.stderr)
  shop.write(
    'main.js',
    "import shop from './dist/app.js'\nconst answer = await shop().inject({ method: 'POST', url: '/orders', payload: { item: 'Emma', quantity: '3' } })\nconsole.log(answer.body)\n",
  )
  assert.equal(shop.start('main.js').stdout, '{"item":"Emma","quantity":3}\n')
  shop.edit('app.js', 'minimum: least', 'minimum: "least"')
  const { status, stderr } = shop.node(vite, ...build)
  assert.equal(status, 1)
  assert.match(stderr, /app\.js:7:\d+\n.*AOT_SCHEMA_INVALID[\s\S]*> 7 \|/)
})

test('TypeScript knows the module of the artifact', (t) => {
  const shop = createShop(t)
  shop.write(
    'worker.ts',
    "import artifact from 'virtual:framework/artifact'\nimport framework from 'framework/5'\nexport const app = framework({ aot: { artifact } })\n",
  )
  const types = ['--types', '@framework/compiler/virtual']
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', 'worker.ts']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  assert.deepEqual(shop.node(tsc, ...types, ...options).stdout, '')
  assert.match(shop.node(tsc, ...options).stdout, /Cannot find module 'virtual:framework/)
})
