import { artifactErrorCodes } from '../errors/index.ts'
import { requireFrom } from '../artifact/require-from.ts'

/** Packages that not every application needs. */
type OptionalPackage = InjectPackage | 'pino' | '@fastify/proxy-addr'
/** The releases that Fastify 4 and 5 use. */
export type InjectPackage = 'light-my-request' | 'light-my-request-6'

let provided: Readonly<Partial<Record<OptionalPackage, () => unknown>>> = {}

/** Sets how packages are loaded that are part of the same bundle. */
export function providePackages(packages: typeof provided): void {
  provided = { ...provided, ...packages }
}

/**
 * Loads an optional package on first use. It's loaded with `require`, because its callers are synchronous, and bundlers don't find it:
 * a bundle has to provide it.
 *
 * @throws FST_ERR_AOT_PACKAGE_MISSING
 */
export function loadPackage(name: OptionalPackage): unknown {
  const load = provided[name]
  if (load !== undefined) return load()
  try {
    return requireFrom(import.meta.url, name)
  } catch (cause) {
    const inject = 'send requests to the server instead of using `inject`'
    const instead = {
      'light-my-request': inject,
      'light-my-request-6': inject,
      pino: "import 'framework/logger' in what you bundle",
      '@fastify/proxy-addr': 'set `trustProxy` to a function',
    }
    const next = `install it where the application runs, or ${instead[name]}`
    throw new artifactErrorCodes.FST_ERR_AOT_PACKAGE_MISSING(`"${name}"`, next, { cause })
  }
}
