/**
 * `framework/fastify`: makes `fastify` mean this package in the whole process, for imports and `require`. The artifact decides which line of
 * Fastify it answers like, or else the Fastify that is installed.
 *
 * node --import framework/fastify --import ./.framework/register.js app.js
 */

import { replacesFastify5 } from './replaced-line.ts'

/** The members of `node:module` that change how names are resolved. */
interface Loader {
  /** For `require`, in all releases of Node. */
  _resolveFilename(this: unknown, request: string, ...rest: unknown[]): string
  /** For `import`, in a separate thread. */
  register(specifier: URL, options: { readonly data: unknown }): void
  /** For `import`, in the same thread: Node 22.15 and later. */
  readonly registerHooks?: (hooks: { resolve: Resolve }) => void
}

type Resolve = (
  specifier: string,
  context: { readonly conditions: readonly string[] },
  next: (specifier: string, context: object) => unknown,
) => unknown

/** Tools such as Vitest resolve the name themselves and import the file. */
const NAMES = /^fastify$|[\\/]node_modules[\\/]fastify[\\/]fastify\.js$/
const loader = process.getBuiltinModule('node:module') as unknown as Loader
const { fileURLToPath } = process.getBuiltinModule('node:url')
const urlOf = (file: string): string => new URL(file, import.meta.url).href

/** Returns the module of the line. */
const imported = (): string => urlOf(replacesFastify5() ? './5.js' : './index.js')
const required = (): string => fileURLToPath(urlOf(replacesFastify5() ? './5.cjs' : './index.cjs'))

const resolveFilename = loader._resolveFilename
loader._resolveFilename = function (request, ...rest) {
  return NAMES.test(request) ? required() : resolveFilename.call(this, request, ...rest)
}

if (loader.registerHooks === undefined) {
  loader.register(new URL('./fastify-imports.js', import.meta.url), {
    data: { names: NAMES, url: urlOf('./fastify-of-artifact.js') },
  })
} else {
  loader.registerHooks({
    resolve: (specifier, context, next) =>
      NAMES.test(specifier) && !context.conditions.includes('require')
        ? { url: imported(), shortCircuit: true }
        : next(specifier, context),
  })
}
