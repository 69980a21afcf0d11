import path from 'node:path'
import { build } from 'esbuild'
import type { Plugin } from 'esbuild'
import type { OutputBundle, OutputChunk } from 'rollup'

const SOURCE_MAP_COMMENT = /\n\/\/# sourceMappingURL=\S+\s*$/

/**
 * Joins the chunks of a bundle to one file, in which modules that `import()` loads still run on demand: rollup's own
 * `inlineDynamicImports` runs them at start.
 */
export async function joinChunks(files: OutputBundle, main: string): Promise<OutputBundle> {
  const chunks = Object.values(files).filter((file) => file.type === 'chunk')
  const entry = files[main]
  if (chunks.length === 1 || entry?.type !== 'chunk') return files
  const { outputFiles } = await build({
    entryPoints: [main],
    bundle: true,
    write: false,
    outdir: '.',
    format: 'esm',
    target: 'es2022',
    minifyWhitespace: true,
    // esbuild renames one of two functions with the same name. Keep their `name`, which Fastify and the application may read.
    keepNames: true,
    charset: 'utf8',
    legalComments: 'none',
    sourcemap: 'external',
    logLevel: 'silent',
    plugins: [loadChunks(chunks)],
  })
  const textOf = (end: string): string =>
    outputFiles.find((file) => file.path.endsWith(end))?.text ?? ''
  const map = files[`${main}.map`]
  return {
    [main]: { ...entry, code: `${textOf('.js')}//# sourceMappingURL=${main}.map\n` },
    ...(map?.type === 'asset' && { [map.fileName]: { ...map, source: textOf('.map') } }),
  }
}

/** Lets esbuild read the chunks from memory. */
function loadChunks(chunks: readonly OutputChunk[]): Plugin {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  return {
    name: 'framework-chunks',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^/ }, ({ path: specifier, importer }) => {
        const name = path.posix.join(path.posix.dirname(importer), specifier)
        return byName.has(name) ? { path: name, namespace: 'chunk' } : { external: true }
      })
      onLoad({ filter: /^/, namespace: 'chunk' }, ({ path: name }) => {
        const chunk = byName.get(name)
        return chunk && { contents: withInlineMap(chunk), loader: 'js' }
      })
    },
  }
}

function withInlineMap({ code, map }: OutputChunk): string {
  const text = code.replace(SOURCE_MAP_COMMENT, '')
  return map === null ? text : `${text}\n//# sourceMappingURL=${map.toUrl()}\n`
}
