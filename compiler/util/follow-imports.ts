import { dirname } from 'node:path'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'

/** Text from which modules are followed, as if it stood in a file. */
export interface Start {
  readonly code: string
  /** Absolute: names are resolved from there. */
  readonly importer: string
}

const START = 'framework-start'

/**
 * The modules that some texts consist of and what each imports, as Node resolves it; nothing runs and nothing is written.
 *
 * @throws esbuild's BuildFailure
 */
export async function followImports(
  starts: readonly Start[],
  options: Pick<BuildOptions, 'external' | 'loader' | 'plugins' | 'tsconfigRaw'>,
): Promise<Metafile> {
  // Few builds get here, and it takes milliseconds to load.
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
    // As Node resolves.
    mainFields: ['main'],
    conditions: [],
    logLevel: 'silent',
    logLimit: 0,
    plugins: [startPlugin(starts), ...(options.plugins ?? [])],
  })
  return metafile
}

/** What the text with that index is called in a metafile. */
export function inputOfStart(index: number): string {
  return `${START}:${index}`
}

/** Whether an input of a metafile is one of the texts, and no file. */
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
