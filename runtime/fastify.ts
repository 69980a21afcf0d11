/**
 * `framework/fastify`: makes `fastify` mean this package in the whole process, for imports and `require`.
 *
 * node --import framework/fastify --import ./.framework/register.js app.js
 */

/** The internals of `node:module` that resolve names. */
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

const NAME = 'fastify'
const loader = process.getBuiltinModule('node:module') as unknown as Loader
const { fileURLToPath } = process.getBuiltinModule('node:url')
const imported = new URL('./index.js', import.meta.url).href
const required = fileURLToPath(new URL('./index.cjs', import.meta.url))

const resolveFilename = loader._resolveFilename
loader._resolveFilename = function (request, ...rest) {
  return request === NAME ? required : resolveFilename.call(this, request, ...rest)
}

if (loader.registerHooks === undefined) {
  loader.register(new URL('./fastify-imports.js', import.meta.url), { data: { [NAME]: imported } })
} else {
  loader.registerHooks({
    resolve: (specifier, context, next) =>
      specifier === NAME && !context.conditions.includes('require')
        ? { url: imported, shortCircuit: true }
        : next(specifier, context),
  })
}
