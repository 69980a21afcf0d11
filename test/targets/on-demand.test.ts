/**
 * What `import()` loads runs when it is asked for, on each target as on Node, where everything is in one file too:
 * `npm run test:targets` asks all, `npm test` some.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { nodeBinary } from '../nodes/install.ts'
import { startFolder } from '../support/start-folder.ts'
import { serveConfig } from '../support/workerd.ts'
import { createWorkshop } from '../support/workshop.ts'
import { bunBinary, denoBinary } from './installed.ts'
import { startProgram } from './servers.ts'

const shop = createWorkshop({ after }, 'deploy/on-demand')

function ask(...args: readonly string[]): unknown[] {
  const { stdout, stderr } = shop.node('--disallow-code-generation-from-strings', 'ask.js', ...args)
  assert.equal(stderr, '')
  return JSON.parse(stdout) as unknown[]
}

const expected = ask('source')

function deploy(target: string, ...more: readonly string[]): string {
  const args = ['deploy', 'app.js', '--target', target, '--out', target, ...more]
  const { status, stderr } = shop.framework(...args)
  assert.equal(status, 0, stderr)
  return join(shop.folder, target)
}

interface Served {
  readonly port: number
  stop(signal: NodeJS.Signals): Promise<unknown>
}

const start: Readonly<Record<string, () => Promise<Served>>> = {
  node: () => startFolder(deploy('node'), shop.folder),
  workerd: () => serveConfig(deploy('workerd'), 'config.capnp'),
}

const startElsewhere: typeof start = {
  deno: () =>
    startProgram(denoBinary(), ['run', '-A', join(deploy('deno'), 'index.js')], shop.folder),
  bun: () => startProgram(bunBinary(), [join(deploy('bun'), 'index.js')], shop.folder),
  snapshot() {
    const node = nodeBinary('24')
    const folder = deploy('node', '--snapshot', '--node', node)
    const flags = ['--snapshot-blob', join(folder, 'snapshot.blob')]
    return startFolder(folder, shop.folder, {}, { node, flags })
  },
}

test('it runs when it is asked for: web', () => {
  const file = pathToFileURL(join(deploy('web'), 'index.js')).href
  assert.deepEqual(ask('web', file), expected)
})

const isWhole = process.env['TARGETS'] === 'all'

for (const [target, open] of Object.entries({ ...start, ...(isWhole && startElsewhere) })) {
  test(`it runs when it is asked for: ${target}`, async () => {
    const { port, stop } = await open()
    try {
      assert.deepEqual(ask('served', `http://127.0.0.1:${port}`), expected)
    } finally {
      await stop('SIGTERM')
    }
  })
}
