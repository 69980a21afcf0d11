/**
 * Loads a package that few applications need, when it is needed. Synchronously, because the factory is; so no
 * bundler sees it, and there is nothing to load where no packages are installed.
 */
export function loadPackage(name: 'light-my-request' | 'pino' | 'proxy-addr'): unknown {
  try {
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)(name)
  } catch (cause) {
    throw new Error(`"${name}" cannot be loaded here: docs/workers.md says what to do without it`, {
      cause,
    })
  }
}
