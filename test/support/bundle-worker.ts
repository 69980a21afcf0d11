/** Bundles a Worker into one module, as wrangler does. */
import { build } from 'esbuild'
import { builtinModules } from 'node:module'
import { root } from './root.ts'

/** Modules of Node that are imported without `node:`. */
const builtins = new RegExp(`^(${builtinModules.join('|')})$`)

export interface BundleOptions {
  /** Where imports of the Worker's own module are resolved from; by default the root of the checkout. */
  readonly folder?: string
  /** Texts of modules that replace others, by specifier. */
  readonly instead?: Readonly<Record<string, string>>
  readonly minify?: boolean
}

/** Returns a module with everything that `source` imports, except `node:` and `cloudflare:` modules. */
export async function bundleWorker(
  source: string,
  { folder = root, instead = {}, minify = false }: BundleOptions = {},
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder, sourcefile: 'worker.mjs' },
    bundle: true,
    minify,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker'],
    // As wrangler does: functions in validator options are known by their names.
    keepNames: true,
    external: ['node:*', 'cloudflare:*'],
    // CommonJS modules require modules of Node: wrangler provides those as well.
    banner: { js: 'const require = (id) => process.getBuiltinModule(id);' },
    plugins: [
      {
        name: 'instead',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ path }) =>
            instead[path] === undefined ? undefined : { path, namespace: 'instead' },
          )
          onResolve({ filter: builtins }, ({ path }) => ({ path: `node:${path}`, external: true }))
          onLoad({ filter: /.*/, namespace: 'instead' }, ({ path }) => ({
            contents: instead[path] as string,
            resolveDir: root,
          }))
        },
      },
    ],
  })
  return outputFiles[0]?.text as string
}
