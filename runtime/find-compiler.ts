/**
 * The path of a module of the compiler's package: of the one that is installed beside this package, or else of that of the
 * folder in which somebody works. It is no dependency, nor an optional peer: npm would install those in production as well.
 *
 * @throws with the code MODULE_NOT_FOUND
 */
import { nodeModule } from './platform/index.ts'

export function findCompiler(name: string): string {
  const { createRequire } = nodeModule('node:module')
  const id = `@framework/compiler/${name}`
  const { resolve } = createRequire(import.meta.url) as Partial<NodeJS.Require>
  // A Worker has no packages.
  if (resolve === undefined) {
    throw Object.assign(new Error(`Cannot find module '${id}'`), { code: 'MODULE_NOT_FOUND' })
  }
  try {
    return resolve(id)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    const { join } = nodeModule('node:path')
    return createRequire(join(process.cwd(), 'package.json')).resolve(id)
  }
}
