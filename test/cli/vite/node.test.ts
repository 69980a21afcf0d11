/** The plugin in plain Vite: the application runs in Vite's Node environment. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../support/root.ts'
import { createWorkshop, type Workshop } from '../../support/workshop.ts'
import type { Lasting } from '../../support/folders.ts'
import { changeApplication, files, order, startVite } from './scenario.ts'

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

test('a problem at the start is shown, and mended without a restart', async (t) => {
  const shop = createShop(t)
  shop.edit('app.js', 'minimum: least', 'minimum: "least"')
  const server = await startVite(t, shop.folder, process.execPath, [vite])
  assert.match(await order(server, {}), /AOT_SCHEMA_INVALID/)
  shop.edit('app.js', 'minimum: "least"', 'minimum: least')
  const end = Date.now() + 30_000
  while (!(await order(server, {})).includes("must have required property 'item'"))
    assert.ok(Date.now() < end, server.output())
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
