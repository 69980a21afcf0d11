/** The plugin with Cloudflare's plugins: in workerd under `vite dev`, bundled by `vite build`, and in Vitest. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { cloudflareModules } from '../../support/cloudflare.ts'
import type { Lasting } from '../../support/folders.ts'
import { createWorkshop, type Workshop } from '../../support/workshop.ts'
import { startWrangler } from '../../support/wrangler.ts'
import { installed, nodeBinary } from '../../targets/installed.ts'
import { changeApplication, files, order, overlayIn, startVite } from './scenario.ts'

const node = nodeBinary('24')
const modules = cloudflareModules()
const env = { CI: 'true', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }

function createWorker(t: Lasting): Workshop {
  const shop = createWorkshop(t, 'cli/empty', {
    ...files,
    'worker.js': `import artifact from 'virtual:framework/artifact'
import { toFetch } from 'framework/fetch'
import shop from './app.js'
const app = shop({ aot: { artifact } })
await app.ready()
export default { fetch: toFetch(app) }
`,
    'wrangler.jsonc': JSON.stringify({
      name: 'shop',
      main: 'worker.js',
      compatibility_date: '2026-05-03',
      compatibility_flags: ['nodejs_compat'],
    }),
    'vite.config.js': `import { cloudflare } from '@cloudflare/vite-plugin'
import framework from '@framework/compiler/vite'
import { defineConfig } from 'vite'
export default defineConfig({ plugins: [framework({ entry: 'app.js' }), cloudflare()] })
`,
    'vitest.config.js': `import { cloudflareTest } from '@cloudflare/vitest-plugin'
import framework from '@framework/compiler/vite'
import { defineConfig } from 'vitest/config'
export default defineConfig({
  plugins: [framework({ entry: 'app.js' }), cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } })],
})
`,
    'orders.test.js': `import { SELF } from 'cloudflare:test'
import { expect, test } from 'vitest'
test('orders', async () => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"item":"Emma","quantity":"2"}' }
  expect(await (await SELF.fetch('http://localhost/orders', init)).json()).toEqual({ item: 'Emma', quantity: 2 })
})
`,
  })
  for (const name of ['@cloudflare', 'vite', 'vitest', 'wrangler'])
    symlinkSync(join(modules, name), join(shop.folder, 'node_modules', name), 'dir')
  return shop
}

const run = (shop: Workshop, ...args: string[]) =>
  spawnSync(node, args, {
    cwd: shop.folder,
    env: { ...process.env, ...env, NO_COLOR: '1' },
    encoding: 'utf8',
  })

test('vite dev runs the Worker in workerd, builds again after a change, and shows a problem', async (t) => {
  const shop = createWorker(t)
  const program = [join(modules, 'vite/bin/vite.js')]
  const server = await startVite(t, shop.folder, node, program, env)
  await changeApplication(shop, server, overlayIn(t))
})

for (const version of ['6', '7', '8'])
  test(`the overlay of plain Vite ${version} shows a problem`, async (t) => {
    const shop = createWorker(t)
    const vite = installed('vite', `^${version}.0.0`, {}, `vite-${version}`)
    rmSync(join(shop.folder, 'node_modules/vite'))
    symlinkSync(vite, join(shop.folder, 'node_modules/vite'), 'dir')
    shop.edit('vite.config.js', ', cloudflare()', '')
    shop.edit('vite.config.js', "import { cloudflare } from '@cloudflare/vite-plugin'\n", '')
    const server = await startVite(t, shop.folder, node, [join(vite, 'bin/vite.js')], env)
    await changeApplication(shop, server, overlayIn(t))
  })

test('vite build writes a Worker that wrangler serves', async (t) => {
  const shop = createWorker(t)
  const { status, stderr } = run(shop, join(modules, 'vite/bin/vite.js'), 'build')
  assert.equal(status, 0, stderr)
  const { port, stop } = await startWrangler(shop.folder, [
    'dev',
    '--config',
    'dist/shop/wrangler.json',
  ])
  t.after(async () => void (await stop()))
  assert.equal(
    await order({ port }, { item: 'Emma', quantity: '2' }),
    '{"item":"Emma","quantity":2}',
  )
  assert.match(await order({ port }, { item: 'Emma', quantity: '9' }), /must be <= 5/)
})

test('Vitest runs tests in workerd with the artifact', (t) => {
  const { stdout, stderr } = run(createWorker(t), join(modules, 'vitest/vitest.mjs'), 'run')
  assert.match(stdout, /Tests +1 passed/, stdout + stderr)
})

test('Vitest runs tests in workerd with a deployment', (t) => {
  const shop = createWorker(t)
  shop.succeed('deploy', 'app.js', '--target', 'workerd')
  shop.write(
    'vitest.config.js',
    `import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
const configPath = '.framework/deploy/workerd/wrangler.jsonc'
export default defineConfig({ plugins: [cloudflareTest({ wrangler: { configPath } })] })
`,
  )
  const { stdout, stderr } = run(shop, join(modules, 'vitest/vitest.mjs'), 'run')
  assert.match(stdout, /Tests +1 passed/, stdout + stderr)
})
