/**
 * `framework deploy --compile-cache`, on the releases of Node that treat folders that move in different ways.
 * `npm run test:all` runs all of it, `npm test` a sample.
 */
import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { nodeBinary } from '../targets/installed.ts'
import { startFolder, type FolderOptions } from '../support/start-server.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'
import { runsAll } from '../support/runs.ts'

/** A user who can't write to any of these files. */
const reader = 65_534

function createShop(t: Parameters<typeof createWorkshop>[0]): Workshop {
  const shop = createWorkshop(t, 'deploy/post')
  chmodSync(shop.folder, 0o755)
  shop.write(
    'shop.js',
    `import fastify from 'fastify'
export default function shop() {
  const app = fastify()
  if (process.env.SHOP === 'closed') throw new Error('The shop is closed')
  function describeCount() {
    return { type: 'integer' }
  }
  const querystring = { type: 'object', properties: { count: describeCount() } }
  app.get('/', { schema: { querystring } }, async ({ query }) => query)
  return app
}
`,
  )
  return shop
}

const command = ['deploy', 'shop.js', '--target', 'node', '--out', 'deployed']

/** Starts the deployment, sends a request, and returns whether Node has used the compile cache. */
async function takesCache(folder: string, how: FolderOptions): Promise<boolean> {
  const variables = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const server = await startFolder(folder, '/', variables, { flags: [], ...how })
  const answer = await fetch(`http://127.0.0.1:${server.port}/?count=3`)
  assert.deepEqual(await answer.json(), { count: 3 })
  assert.equal(await server.stop('SIGTERM'), 0)
  return /main\.js was accepted/.test(server.output())
}

const isRoot = process.getuid?.() === 0

for (const [major, flags] of [
  ['22', []],
  ['24', ['--disallow-code-generation-from-strings']],
] as const) {
  if (major !== '24' && !runsAll) continue
  describe(`a compile cache for Node ${major}, for a user who may not write`, () => {
    const shop = createShop({ after })
    const node = nodeBinary(major)
    const folder = join(shop.folder, 'deployed')
    const cache = join(folder, 'compile-cache')
    const uid = isRoot ? reader : undefined

    before(() => {
      const { status, stdout, stderr } = shop.framework(
        ...command,
        '--compile-cache',
        '--node',
        node,
        ...flags.map((flag) => `--node-flag=${flag}`),
        ...(isRoot ? ['--user', String(reader)] : []),
      )
      assert.equal(status, 0, stderr)
      assert.ok(stdout.includes(`node ${[...flags, 'deployed'].join(' ')}`), stdout)
      if (!isRoot) for (const name of readdirSync(cache)) chmodSync(join(cache, name), 0o555)
    })

    test('is used where it was filled', async () => {
      assert.equal(await takesCache(folder, { node, flags, uid }), true)
    })

    test('is used where the folder has moved, as far as Node allows', async () => {
      const elsewhere = join(shop.folder, 'elsewhere')
      cpSync(folder, elsewhere, { recursive: true })
      assert.equal(await takesCache(elsewhere, { node, flags, uid }), major !== '22')
    })

    test('is not needed for a start: another user, other flags, another Node, damage, no cache', async () => {
      if (isRoot) assert.equal(await takesCache(folder, { node, flags, uid: reader - 1 }), false)
      assert.equal(await takesCache(folder, { node, flags: ['--no-opt'], uid }), false)
      assert.equal(await takesCache(folder, { node: process.execPath, uid }), false)
      for (const name of readdirSync(cache)) {
        for (const file of readdirSync(join(cache, name))) {
          const content = readFileSync(join(cache, name, file))
          writeFileSync(join(cache, name, file), content.fill(0x55, content.length / 2))
        }
      }
      assert.equal(await takesCache(folder, { node, flags, uid }), false)
      renameSync(cache, `${cache}.gone`)
      assert.equal(await takesCache(folder, { node, flags, uid }), false)
    })
  })
}

test('a compile cache holds the functions that a start calls, not only those that V8 compiles when it reads them', async (t) => {
  const shop = createShop(t)
  const node = nodeBinary('24')
  const log = join(shop.folder, 'v8.log')
  const flags = ['--log-function-events', '--no-logfile-per-isolate', `--logfile=${log}`]
  const options = flags.map((flag) => `--node-flag=${flag}`)
  shop.succeed(...command, '--compile-cache', '--node', node, ...options)
  assert.equal(await takesCache(join(shop.folder, 'deployed'), { node, flags }), true)
  const events = readFileSync(log, 'utf8')
    .split('\n')
    .map((line) => line.split(','))
  const compiled = events.filter(([, what]) => what === 'interpreter').map((event) => event.at(-1))
  // Functions of Node itself.
  assert.ok(compiled.includes('setupListenHandle'))
  // A function of the application, and a method of the runtime, which can't stand in parentheses.
  for (const name of ['describeCount', 'defer']) assert.ok(!compiled.includes(name), name)
})

test('a compile cache holds ES modules', async (t) => {
  const shop = createShop(t)
  const node = nodeBinary('24')
  shop.write('shop.js', `await null\n${shop.read('shop.js')}`)
  shop.succeed(...command, '--compile-cache', '--node', node)
  assert.match(shop.read('deployed/index.js'), /await import/)
  assert.equal(await takesCache(join(shop.folder, 'deployed'), { node }), true)
})

if (runsAll) {
  test('a deployment that cannot be started once leaves the last one whole', (t) => {
    const shop = createShop(t)
    shop.succeed(...command)
    const before = shop.read('deployed/index.js')
    shop.edit('shop.js', "'closed'", 'undefined')
    for (const [node, code] of [
      [nodeBinary('20'), 'AOT_NODE_TOO_OLD'],
      ['./nowhere/node', 'AOT_NODE_NOT_FOUND'],
      [nodeBinary('24'), 'AOT_START_FAILS'],
    ] as const) {
      const stderr = shop.fail(...command, '--compile-cache', '--node', node)
      assert.ok(stderr.includes(code), stderr)
      assert.equal(shop.read('deployed/index.js'), before)
      assert.ok(!existsSync(join(shop.folder, 'deployed/compile-cache')))
    }
  })
}
