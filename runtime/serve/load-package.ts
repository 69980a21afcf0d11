import { artifactErrorCodes } from '../errors/index.ts'
import { requireFrom } from '../artifact/require-from.ts'

/**
 * Loads a package that few applications need, when it is needed. Synchronously, because the factory is; so no
 * bundler sees it, and there is nothing to load where no packages are installed.
 *
 * @throws FST_ERR_AOT_PACKAGE_MISSING
 */
export function loadPackage(name: 'light-my-request' | 'pino' | '@fastify/proxy-addr'): unknown {
  try {
    return requireFrom(import.meta.url, name)
  } catch (cause) {
    const instead = {
      'light-my-request': 'send requests instead of injecting them',
      pino: 'give the factory a logger, as in `logger: pino()`',
      '@fastify/proxy-addr': 'give `trustProxy` a function',
    }
    const next = `install it where the application runs, or ${instead[name]}`
    throw new artifactErrorCodes.FST_ERR_AOT_PACKAGE_MISSING(`"${name}"`, next, { cause })
  }
}
