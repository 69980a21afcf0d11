/** An application of plugins, each with packages of its own, of which a snapshot is taken. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installOnce } from '../conformance/install.ts'
import type { Finished, Workshop } from '../support/workshop.ts'
import { createWorkshop } from '../support/workshop.ts'
import { foreign } from './snapshot-packages.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

export interface SnapshotPlugin {
  readonly imports?: string
  /** The body of a plugin, with a route `/`. */
  readonly code: string
}

/** Deploys them with a snapshot to `out`; the prefix of each is its number. */
export function deployPlugins(
  shop: Workshop,
  node: string,
  plugins: readonly SnapshotPlugin[],
): Finished {
  for (const [nth, { imports = '', code }] of plugins.entries()) {
    shop.write(
      `plugin${nth}.js`,
      `${imports}\nexport default async function plugin(app) {\n${code}\n}\n`,
    )
  }
  const numbers = plugins.map((_, nth) => nth)
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

/** With the packages of tests installed, and those of `snapshot-packages.ts`. */
export function createPluginShop(t: Parameters<typeof createWorkshop>[0]): Workshop {
  const shop = createWorkshop(t, 'cli/empty')
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
