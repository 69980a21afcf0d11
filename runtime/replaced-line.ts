/** Decides which line of Fastify `framework/fastify` answers like. */
import { isForFastify5 } from './artifact/registry.ts'

const { createRequire } = process.getBuiltinModule('node:module')

/** Follows the artifact, which is preloaded after `framework/fastify`. Without one, follows the Fastify that is installed. */
export function replacesFastify5(): boolean {
  return isForFastify5() ?? installedVersion()?.startsWith('5.') === true
}

/** Returns the version that an application in the folder of the process would import. */
function installedVersion(): string | undefined {
  const require = createRequire(`${process.cwd()}/`)
  try {
    return (require('fastify/package.json') as { version?: string }).version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
