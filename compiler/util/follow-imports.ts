import { dirname } from 'node:path'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'

/** Code whose imports are followed, as if it were in a file. */
export interface Start {
  readonly code: string
  /** The absolute path that imports are resolved from. */
  readonly importer: string
}

const START = 'framework-start'

/**
 * Finds all modules that some code imports, directly or not, as Node resolves them. Runs and writes nothing.
 *
 * @throws esbuild's BuildFailure
 */
export async function followImports(
  starts: readonly Start[],
  options: Pick<BuildOptions, 'external' | 'loader' | 'plugins' | 'tsconfigRaw'>,
): Promise<Metafile> {
  // Loaded here because few builds need it.
  const { build } = await import('esbuild')
  const { metafile } = await build({
    ...options,
    entryPoints: starts.map((_, index) => String(index)),
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    platform: 'node',
    // Resolves like Node.
    mainFields: ['main'],
    conditions: [],
    logLevel: 'silent',
    logLimit: 0,
    plugins: [startPlugin(starts), ...(options.plugins ?? [])],
  })
  return metafile
}

/** The name of the start with this index in a metafile. */
export function inputOfStart(index: number): string {
  return `${START}:${index}`
}

/** Returns whether an input of a metafile is a start instead of a file. */
export function isStart(input: string): boolean {
  return input.startsWith(`${START}:`)
}

function startPlugin(starts: readonly Start[]): Plugin {
  return {
    name: 'framework-starts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\d+$/ }, ({ path, kind }) =>
        kind === 'entry-point' ? { path, namespace: START } : undefined,
      )
      onLoad({ filter: /.*/, namespace: START }, ({ path }) => {
        const { code, importer } = starts[Number(path)] as Start
        return { contents: code, resolveDir: dirname(importer), loader: 'js' }
      })
    },
  }
}
