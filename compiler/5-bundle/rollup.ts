import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import type { OutputOptions, Plugin } from 'rollup'
import { rollup } from 'rollup'
import type { Chunk } from './chunks.ts'

/** The only module that generated code may import. */
const INTERNAL = 'framework/internal'

/** These two are typed as CommonJS, whose default export TypeScript sees one level too deep. */
const plugins = {
  commonjs: commonjs as unknown as typeof commonjs.default,
  json: json as unknown as typeof json.default,
}

const PREFIX = '\0framework:'

/** A file of the artifact. */
export interface BundledFile {
  readonly file: string
  readonly code: string
}

/** The chunks as files of their own, with what they need from the user's modules. `entries` are in their order. */
export async function bundleChunks(
  chunks: readonly Chunk[],
): Promise<{ readonly entries: readonly BundledFile[]; readonly shared: readonly BundledFile[] }> {
  if (chunks.length === 0) return { entries: [], shared: [] }
  const modules = chunkModules(chunks)
  const files = await generate([...modules.keys()], modules, {
    entryFileNames: 'chunks/[hash].mjs',
    chunkFileNames: 'chunks/[hash].mjs',
  })
  const byEntry = new Map(files.map((file) => [file.entry, file]))
  return {
    entries: [...modules.keys()].map((id) => byEntry.get(id) as BundledFile),
    shared: files.filter(({ entry }) => entry === undefined),
  }
}

/** Everything in one file, behind `source`, a module that may import `chunk0`, `chunk1` ... */
export async function bundleWhole(chunks: readonly Chunk[], source: string): Promise<string> {
  const modules = chunkModules(chunks).set('main', source)
  const [file] = await generate(['main'], modules, { inlineDynamicImports: true })
  return (file as BundledFile).code
}

function chunkModules(chunks: readonly Chunk[]): Map<string, string> {
  return new Map(chunks.map(({ source }, i) => [`chunk${i}`, source]))
}

async function generate(
  input: readonly string[],
  modules: ReadonlyMap<string, string>,
  output: OutputOptions,
): Promise<readonly (BundledFile & { entry: string | undefined })[]> {
  const bundle = await rollup({
    input: [...input],
    external: [INTERNAL],
    plugins: [
      virtualModules(modules),
      nodeResolve({ preferBuiltins: true }),
      plugins.commonjs(),
      plugins.json(),
    ],
    // Each function was minified on its own; nothing in it is unused.
    treeshake: false,
    onwarn: ({ message }) => {
      throw new Error(message)
    },
  })
  try {
    const result = await bundle.generate({ format: 'es', compact: true, ...output })
    return result.output
      .filter((file) => file.type === 'chunk')
      .map(({ fileName, code, facadeModuleId }) => ({
        file: fileName,
        code,
        entry: facadeModuleId?.startsWith(PREFIX) ? facadeModuleId.slice(PREFIX.length) : undefined,
      }))
  } finally {
    await bundle.close()
  }
}

function virtualModules(modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'framework-virtual-modules',
    resolveId: (id) => (modules.has(id) ? PREFIX + id : null),
    load: (id) => (id.startsWith(PREFIX) ? modules.get(id.slice(PREFIX.length)) : null),
  }
}
