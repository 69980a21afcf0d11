/** Packages with applications on Fastify 5 that use schema libraries. `fixtures/zod/package.json` pins what is linked into them. */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Lasting } from './folders.ts'
import { root } from './root.ts'
import { createWorkshop, type Workshop } from './workshop.ts'

const fixture = join(root, 'fixtures/zod')

const { devDependencies } = JSON.parse(readFileSync(join(fixture, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Folders of the packages, by name. */
export const zodPackages: ReadonlyMap<string, string> = new Map(
  Object.keys(devDependencies).map((name) => {
    const own = join(fixture, 'node_modules', name)
    return [name, existsSync(own) ? own : join(root, 'node_modules', name)]
  }),
)

export function createZodWorkshop(
  t: Lasting,
  files: Readonly<Record<string, string | object>>,
): Workshop {
  const shop = createWorkshop(t, 'cli/empty', files)
  for (const [name, source] of zodPackages) {
    const target = join(shop.folder, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(source, target, 'dir')
  }
  for (const name of ['app.js', 'requests.js'])
    cpSync(join(fixture, name), join(shop.folder, 'provided', name))
  return shop
}
