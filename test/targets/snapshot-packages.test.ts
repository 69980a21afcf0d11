/** Which packages can be in a start-up snapshot: `npm run test:targets`. docs/deploy.md shows the same table. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { installOnce } from '../conformance/install.ts'
import { nodeBinary } from '../nodes/install.ts'
import { startFolder } from '../support/start-folder.ts'
import type { Finished, Workshop } from '../support/workshop.ts'
import { createWorkshop } from '../support/workshop.ts'
import type { RefusedPackage, TakenPackage } from './snapshot-packages.ts'
import { foreign, refusedPackages, takenPackages } from './snapshot-packages.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

if (process.env['TARGETS'] === 'all') {
  const node = nodeBinary('24')
  const shop = createShop()

  test('what a snapshot can hold is in one all together, and works', async () => {
    const { status, stderr } = deploy(shop, node, takenPackages)
    assert.equal(status, 0, stderr)
    const out = join(shop.folder, 'out')
    const flags = ['--snapshot-blob', join(out, 'snapshot.blob')]
    const server = await startFolder(out, shop.folder, { NODE_ENV: '' }, { node, flags })
    try {
      for (const [nth, { name, answer }] of takenPackages.entries()) {
        const response = await fetch(`http://127.0.0.1:${server.port}/${nth}/`)
        assert.equal(await response.text(), answer, name)
      }
      assert.doesNotMatch(server.output(), /FrameworkSnapshot/)
    } finally {
      server.child.kill()
    }
  })

  const alone = refusedPackages.filter(({ throws }) => throws)
  const together = refusedPackages.filter((one) => !alone.includes(one))
  for (const group of [together, ...alone.map((one) => [one])]) {
    test(`what a snapshot cannot hold is refused: ${group.map(({ name }) => name).join(', ')}`, () => {
      const { status, stderr } = deploy(shop, node, group)
      assert.equal(status, 1)
      for (const { name, refused } of group) {
        assert.ok(
          refusals(stderr).some((one) => one.includes(refused)),
          `${name}\n${stderr}`,
        )
      }
    })
  }
}

/** What stands under each refusal's place. */
function refusals(text: string): string[] {
  return [...text.matchAll(/AOT_SNAPSHOT_REFUSED\n(.*)/g)].map(([, message]) => message as string)
}

function deploy(
  shop: Workshop,
  node: string,
  packages: readonly (RefusedPackage | TakenPackage)[],
): Finished {
  for (const [nth, { imports = '', code }] of packages.entries()) {
    shop.write(
      `plugin${nth}.js`,
      `${imports}\nexport default async function plugin(app) {\n${code}\n}\n`,
    )
  }
  const numbers = packages.map((_, nth) => nth)
  shop.write(
    'app.js',
    `import fastify from 'fastify'
${numbers.map((nth) => `import plugin${nth} from './plugin${nth}.js'`).join('\n')}
export default function shop() {
  const app = fastify({ logger: true })
${numbers.map((nth) => `  app.register(plugin${nth}, { prefix: '/${nth}' })`).join('\n')}
  return app
}
`,
  )
  const options = ['--out', 'out', '--snapshot', '--node', node, '--include', 'public']
  return shop.framework('deploy', 'app.js', '--target', 'node', ...options)
}

function createShop(): Workshop {
  const shop = createWorkshop({ after }, 'cli/empty')
  const cache = process.env['PEER_CACHE'] ?? join(tmpdir(), 'peer-cache')
  installOnce(join(cache, 'snapshots'), { dependencies: foreign }, () => {})
  for (const folder of [root, join(cache, 'snapshots')]) {
    const modules = join(folder, 'node_modules')
    for (const name of readdirSync(modules)) {
      const link = join(shop.folder, 'node_modules', name)
      if (!name.startsWith('.') && !existsSync(link)) symlinkSync(join(modules, name), link, 'dir')
    }
  }
  mkdirSync(join(shop.folder, 'public'))
  shop.write('public/index.html', 'page')
  shop.write('.env', 'GREETING=hello\n')
  return shop
}
