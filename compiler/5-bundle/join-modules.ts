import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { transform } from 'esbuild'
import type { Plugin } from 'rollup'
import { rollup } from 'rollup'
import type { ImportRef } from '../model/index.ts'

const ENTRY = '\0framework:user-modules'

/** In front of the key of a reference that brings its own code. */
const PART = '\0framework:user-code:'

/** These two are typed as CommonJS, whose default export TypeScript sees one level too deep. */
const plugins = {
  commonjs: commonjs as unknown as typeof commonjs.default,
  json: json as unknown as typeof json.default,
}

/** Joins what `entry` exports from references, by their keys, to one ES module. */
export async function joinModules(
  entry: string,
  refs: ReadonlyMap<string, ImportRef>,
): Promise<string> {
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
