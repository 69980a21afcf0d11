import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'
import type { ImportRef, PackedUnit } from '../model/index.ts'
import { optionOf } from './chunks.ts'

/**
 * Bundles the functions of the application that `units` take from its options, for the smoke test: a self-contained ES module whose default
 * export contains them by the JSON of `optionOf`.
 */
export async function bundleUserModules(units: readonly PackedUnit[]): Promise<string> {
  const refs = units.flatMap(({ userImports }) => userImports.map(({ ref }) => ref))
  if (refs.length === 0) return ''
  const names = [...new Set(refs.map(keyOf))].sort()
  const byKey = new Map(refs.map((ref) => [keyOf(ref), ref]))
  const imports = names.map((key, i) => {
    const { name } = byKey.get(key) as ImportRef
    const imported = name === '*' ? `* as user${i}` : `{ ${name} as user${i} }`
    return `import ${imported} from ${JSON.stringify(key)}`
  })
  const members = refs.map((ref) => {
    return `${JSON.stringify(JSON.stringify(optionOf(ref)))}: user${names.indexOf(keyOf(ref))}`
  })
  return joinModules(`${imports.join('\n')}\nexport default { ${members.join()} }`, byKey)
}

function keyOf({ specifier, importer, name, code = '' }: ImportRef): string {
  return [name, specifier, importer, code].join('\n')
}

/** CommonJS modules in the bundle require Node's modules with it. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

/** Bundles `entry`, which imports references by their keys, to one ES module. */
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
