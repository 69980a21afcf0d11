/** Packages with applications on Fastify 5 that use schema libraries. `fixtures/zod/package.json` pins what is linked into them. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Lasting } from './folders.ts'
import { root } from './root.ts'
import { createWorkshop, type Workshop } from './workshop.ts'

const fixture = join(root, 'fixtures/zod')

export function createZodWorkshop(
  t: Lasting,
  files: Readonly<Record<string, string | object>>,
): Workshop {
  const shop = createWorkshop(t, 'cli/empty', files)
  const { devDependencies } = JSON.parse(readFileSync(join(fixture, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  for (const name of Object.keys(devDependencies)) {
    const own = join(fixture, 'node_modules', name)
    const target = join(shop.folder, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(existsSync(own) ? own : join(root, 'node_modules', name), target, 'dir')
  }
  return shop
}
