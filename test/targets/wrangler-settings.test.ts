/** A deployment to Workers takes the settings of the application's own wrangler configuration: with the real wrangler in `npm run test:all`. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { deploy } from '../../compiler/deploy/index.ts'
import { runsAll } from '../support/runs.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'
import { serveConfig } from '../support/workerd.ts'
import { runWrangler } from '../support/wrangler.ts'

const application = `import framework from 'framework/5'
export class Room {}
export default function shop() {
  const app = framework()
  app.get('/', async () => ({ mode: process.env.MODE, limits: process.env.LIMITS }))
  return app
}
`

const own = `{
  // The shop.
  "$schema": "node_modules/wrangler/config-schema.json",
  "name": "shop",
  "main": "app.js",
  "compatibility_date": "2026-04-01",
  "compatibility_flags": ["nodejs_compat", "global_navigator"],
  "build": { "command": "npx framework deploy app.js --target workerd" },
  "assets": { "directory": "public" },
  "vars": { "MODE": "development", "LIMITS": { "items": 3 } },
  "d1_databases": [{ "binding": "DB", "database_name": "shop", "database_id": "one" }],
  "kv_namespaces": [{ "binding": "CACHE", "id": "top" }],
  "durable_objects": { "bindings": [{ "name": "ROOM", "class_name": "Room" }] },
  "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Room"] }],
  "env": {
    "production": { "vars": { "MODE": "production" }, "kv_namespaces": [{ "binding": "CACHE", "id": "prod" }], "upload_source_maps": false },
  },
}
`

function createShop(t: TestContext, files: Readonly<Record<string, string>>): Workshop {
  return createWorkshop(t, 'cli/empty', { 'public/a.txt': 'a', ...files }).writeApp(application)
}

function deployed(shop: Workshop): Record<string, unknown> {
  shop.succeed('deploy', 'app.js', '--target', 'workerd')
  return settingsOf(shop)
}

function settingsOf(shop: Workshop): Record<string, unknown> {
  return JSON.parse(shop.read('.framework/deploy/workerd/wrangler.jsonc')) as Record<
    string,
    unknown
  >
}

const program = {
  main: 'index.js',
  no_bundle: true,
  rules: [
    { type: 'Data', globs: ['files/**'], fallthrough: false },
    { type: 'ESModule', globs: ['*.js'] },
  ],
  compatibility_date: '2026-04-01',
  compatibility_flags: [
    'nodejs_compat',
    'diagnostics_channel_has_subscribers_getter',
    'global_navigator',
  ],
  upload_source_maps: true,
}

test('the settings are copied, with paths from their new place, and found by wrangler and workerd', async (t) => {
  const shop = createShop(t, { 'wrangler.jsonc': own })
  assert.deepEqual(deployed(shop), {
    ...program,
    name: 'shop',
    assets: { directory: '../../../public' },
    vars: { MODE: 'development', LIMITS: { items: 3 } },
    d1_databases: [
      {
        binding: 'DB',
        database_name: 'shop',
        database_id: 'one',
        migrations_dir: '../../../migrations',
      },
    ],
    kv_namespaces: [{ binding: 'CACHE', id: 'top' }],
    durable_objects: { bindings: [{ name: 'ROOM', class_name: 'Room' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Room'] }],
  })
  assert.equal(shop.read('wrangler.jsonc'), own)
  assert.deepEqual(JSON.parse(shop.read('.wrangler/deploy/config.json')), {
    configPath: '../../.framework/deploy/workerd/wrangler.jsonc',
  })
  const { port, stop } = await serveConfig(
    join(shop.folder, '.framework/deploy/workerd'),
    'config.capnp',
  )
  const answer = await (await fetch(`http://127.0.0.1:${port}`)).json()
  await stop()
  assert.deepEqual(answer, { mode: 'development', limits: '{"items":3}' })
  if (!runsAll) return
  const printed = runWrangler(shop.folder, ['deploy', '--dry-run'])
  for (const text of [/env\.CACHE \(top\)/, /env\.ROOM \(Room\)/, /env\.MODE \("development"\)/])
    assert.match(printed, text)
})

test('an environment is chosen by CLOUDFLARE_ENV, without the bindings of others', async (t) => {
  const shop = createShop(t, { 'wrangler.jsonc': own })
  const options = { entry: join(shop.folder, 'app.js'), target: 'workerd' } as const
  t.after(() => delete process.env['CLOUDFLARE_ENV'])
  process.env['CLOUDFLARE_ENV'] = 'production'
  const { deployment } = await deploy(options)
  assert.ok(deployment)
  assert.deepEqual(settingsOf(shop), {
    ...program,
    name: 'shop-production',
    assets: { directory: '../../../public' },
    vars: { MODE: 'production' },
    kv_namespaces: [{ binding: 'CACHE', id: 'prod' }],
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Room'] }],
    upload_source_maps: false,
  })
  process.env['CLOUDFLARE_ENV'] = 'staging'
  const { diagnostics } = await deploy(options)
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['AOT_WRANGLER_SETTINGS'],
  )
  assert.match(diagnostics[0]?.message ?? '', /no environment "staging"/)
})

test('a compatibility date with which no Worker starts is refused', (t) => {
  const shop = createShop(t, { 'wrangler.json': '{ "compatibility_date": "2025-09-14" }' })
  assert.match(
    shop.fail('deploy', 'app.js', '--target', 'workerd'),
    /AOT_WRANGLER_SETTINGS[^]*its `compatibility_date` has to be 2025-09-15 or later/,
  )
  shop.edit('wrangler.json', '14', '15')
  assert.equal(deployed(shop)['compatibility_date'], '2025-09-15')
})

test('wrangler.toml is read too, and an invalid file is reported', (t) => {
  const shop = createShop(t, { 'wrangler.toml': 'name = "toml"\n[vars]\nMODE = "t"\n' })
  const { name, vars } = deployed(shop)
  assert.deepEqual([name, vars], ['toml', { MODE: 't' }])
  shop.write('wrangler.toml', 'name = toml')
  assert.match(
    shop.fail('deploy', 'app.js', '--target', 'workerd'),
    /wrangler\.toml.*AOT_WRANGLER_SETTINGS/,
  )
  shop.write('wrangler.json', '{ "name": }')
  assert.match(
    shop.fail('deploy', 'app.js', '--target', 'workerd'),
    /wrangler\.json.*AOT_WRANGLER_SETTINGS[^]*in line 1/,
  )
})
