import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { transform } from 'esbuild'
import type { Plugin } from 'rollup'
import { rollup } from 'rollup'
import type { ImportRef, PackedUnit } from '../model.ts'

/** What generated code needs from the application's own modules: functions of formats and keywords. */
export interface UserModules {
  /** The name of the function in `code`. */
  nameOf(ref: ImportRef): string
  /** A self-contained ES module that exports the functions; `undefined` when none is needed. */
  readonly code: string | undefined
}

const ENTRY = '\0framework:user-modules'

/** In front of the key of a reference that brings its own code. */
const PART = '\0framework:user-code:'

/** These two are typed as CommonJS, whose default export TypeScript sees one level too deep. */
const plugins = {
  commonjs: commonjs as unknown as typeof commonjs.default,
  json: json as unknown as typeof json.default,
}

/** Bundles the functions that `units` import, to try units out with them. The artifact takes those of the running application. */
export async function bundleUserModules(units: readonly PackedUnit[]): Promise<UserModules> {
  const refs = new Map<string, ImportRef>()
  for (const { userImports } of units) {
    for (const { ref } of userImports) refs.set(keyOf(ref), ref)
  }
  const keys = [...refs.keys()].sort()
  const nameOf = (ref: ImportRef): string => `user${keys.indexOf(keyOf(ref))}`
  const exports = keys.map((key) => exportOf(refs.get(key) as ImportRef, nameOf))
  if (exports.length === 0) return { nameOf, code: undefined }
  return {
    nameOf,
    code: await bundle(exports.join('\n'), refs),
  }
}

function keyOf({ specifier, importer, name, code = '' }: ImportRef): string {
  return [name, specifier, importer, code].join('\n')
}

function exportOf(ref: ImportRef, nameOf: (ref: ImportRef) => string): string {
  const name = ref.name === '*' ? `* as ${nameOf(ref)}` : `{ ${ref.name} as ${nameOf(ref)} }`
  return `export ${name} from ${JSON.stringify(keyOf(ref))}`
}

async function bundle(entry: string, refs: ReadonlyMap<string, ImportRef>): Promise<string> {
  const build = await rollup({
    input: ENTRY,
    plugins: [
      entryModule(entry, refs),
      nodeResolve({
        preferBuiltins: true,
        extensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json'],
      }),
      typescript(),
      plugins.commonjs(),
      plugins.json(),
    ],
    onwarn: ({ message }) => {
      throw new Error(message)
    },
  })
  try {
    const { output } = await build.generate({ format: 'es', inlineDynamicImports: true })
    return output[0].code
  } finally {
    await build.close()
  }
}

function entryModule(source: string, refs: ReadonlyMap<string, ImportRef>): Plugin {
  return {
    name: 'framework-user-modules',
    resolveId(id, importer) {
      if (id === ENTRY) return ENTRY
      const ref = refs.get(importer === ENTRY ? id : (importer ?? '').slice(PART.length))
      if (ref === undefined) return null
      if (importer !== ENTRY) return this.resolve(id, ref.importer)
      return ref.code === undefined ? this.resolve(ref.specifier, ref.importer) : PART + id
    },
    load: (id) =>
      id === ENTRY ? source : id.startsWith(PART) ? refs.get(id.slice(PART.length))?.code : null,
  }
}

function typescript(): Plugin {
  return {
    name: 'framework-typescript',
    async transform(code, id) {
      if (!/\.[cm]?tsx?$/.test(id)) return null
      const { code: stripped, map } = await transform(code, { loader: 'ts', sourcemap: true })
      return { code: stripped, map }
    },
  }
}
