/**
 * Finds a module of the compiler: installed beside this package, or else in the working directory. The
 * compiler isn't listed as a dependency, not even as an optional peer, because npm would install it in
 * production.
 *
 * @throws an error with the code MODULE_NOT_FOUND
 */
import { nodeModule } from './platform/index.ts'

export function findCompiler(name: string): string {
  const { createRequire } = nodeModule('node:module')
  const id = `@framework/compiler/${name}`
  const { resolve } = createRequire(import.meta.url) as Partial<NodeJS.Require>
  // Cloudflare Workers, which have no packages: `require` lacks `resolve` there.
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
