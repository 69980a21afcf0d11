import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'
import type { ImportRef, PackedUnit } from '../model/index.ts'

/** Functions of the application that generated code calls: formats and keywords. */
export interface UserModules {
  /** The name of the function in `code`. */
  nameOf(ref: ImportRef): string
  /** A self-contained ES module that exports the functions; `undefined` if there are none. */
  readonly code: string | undefined
}

/** Bundles the functions that `units` import, for the smoke test. The artifact takes those of the running application. */
export async function bundleUserModules(units: readonly PackedUnit[]): Promise<UserModules> {
  const refs = new Map<string, ImportRef>()
  for (const { userImports } of units) {
    for (const { ref } of userImports) refs.set(keyOf(ref), ref)
  }
  const keys = [...refs.keys()].sort()
  const nameOf = (ref: ImportRef): string => `user${keys.indexOf(keyOf(ref))}`
  const exports = keys.map((key) => exportOf(refs.get(key) as ImportRef, nameOf))
  if (exports.length === 0) return { nameOf, code: undefined }
  return { nameOf, code: await joinModules(exports.join('\n'), refs) }
}

function keyOf({ specifier, importer, name, code = '' }: ImportRef): string {
  return [name, specifier, importer, code].join('\n')
}

function exportOf(ref: ImportRef, nameOf: (ref: ImportRef) => string): string {
  const name = ref.name === '*' ? `* as ${nameOf(ref)}` : `{ ${ref.name} as ${nameOf(ref)} }`
  return `export ${name} from ${JSON.stringify(keyOf(ref))}`
}

/** CommonJS modules in the bundle require Node's modules with it. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

/** Joins what `entry` exports from references, by their keys, to one ES module. */
async function joinModules(entry: string, refs: ReadonlyMap<string, ImportRef>): Promise<string> {
  // Few applications have such functions.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    stdin: { contents: entry },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    banner: { js: REQUIRE },
    logLevel: 'silent',
    plugins: [referencePlugin(refs)],
  })
  return outputFiles[0]?.text ?? ''
}

const PART = 'framework-user-code'

/** Resolves references from the files that contain them. Some bring code of their own. */
function referencePlugin(refs: ReadonlyMap<string, ImportRef>): Plugin {
  return {
    name: 'framework-user-modules',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /\n/ }, ({ path, kind }) => {
        const ref = refs.get(path)
        if (ref === undefined) return undefined
        if (ref.code !== undefined) return { path, namespace: PART }
        return resolve(ref.specifier, {
          kind,
          importer: ref.importer,
          resolveDir: dirname(ref.importer),
        })
      })
      onLoad({ filter: /.*/, namespace: PART }, ({ path }) => {
        const { code = '', importer } = refs.get(path) as ImportRef
        return { contents: code, loader: 'ts', resolveDir: dirname(importer) }
      })
    },
  }
}
