/** Follows imports with esbuild, without running any module. */
import { dirname, resolve } from 'node:path'
import type { BuildOptions, Message, Metafile, Plugin } from 'esbuild'

/** Code whose imports are followed, as if it were in a file. */
export interface Start {
  readonly code: string
  /** The absolute path that imports are resolved from. */
  readonly importer: string
}

const START = 'framework-start'
/** The one entry: with one for each start, the output would have each package as often as it's imported. */
const ALL = 'all'

/** Files and imports that stop the bundler. They are left out. */
interface Obstacles {
  /** Specifiers that can't be resolved. The modules may be optional. */
  readonly missing: Set<string>
  /** Files with errors, because they aren't JavaScript or import something that isn't exported. */
  readonly broken: Set<string>
  /** Extensions of files that aren't modules. */
  readonly endings: Set<string>
}

/** Modules by the paths that esbuild gives them, relative to the current folder. */
export interface FollowedImports extends Pick<Metafile, 'inputs'> {
  /** False if files were left out, such as a binary module. */
  readonly isJavaScript: boolean
}

type FollowOptions = Pick<BuildOptions, 'external' | 'tsconfigRaw'>

/**
 * Finds all modules that some code imports, directly or not, as Node resolves them. Runs and writes nothing. If the bundler stops, for
 * example at a missing module, what stopped it is left out, and the bundler starts again.
 */
export async function followImports(
  starts: readonly Start[],
  options: FollowOptions,
): Promise<FollowedImports> {
  const obstacles: Obstacles = { missing: new Set(), broken: new Set(), endings: new Set() }
  const { missing, broken, endings } = obstacles
  for (;;) {
    const before = missing.size + broken.size + endings.size
    try {
      const { inputs } = await bundle(starts, options, obstacles)
      return { inputs, isJavaScript: broken.size + endings.size === 0 }
    } catch (error) {
      noteObstacles(error, obstacles)
      if (missing.size + broken.size + endings.size === before) throw error
    }
  }
}

/** Collects all obstacles that a failed run lists. */
function noteObstacles(error: unknown, { missing, broken, endings }: Obstacles): void {
  if (!(error instanceof Error) || !('errors' in error)) return
  for (const { text, location } of error.errors as readonly Message[]) {
    const [, name] = /^Could not resolve "(.+)"/.exec(text) ?? []
    const [, ending] = /^No loader is configured for "(.+)" files/.exec(text) ?? []
    if (name !== undefined) missing.add(name)
    else if (ending !== undefined) endings.add(ending)
    // Code of a start that can't be parsed isn't left out: the run fails.
    else if (location !== null && !isStart(location.file)) broken.add(resolve(location.file))
  }
}

async function bundle(
  starts: readonly Start[],
  options: FollowOptions,
  { missing, broken, endings }: Obstacles,
): Promise<Metafile> {
  // Loaded here because few builds need it.
  const { build } = await import('esbuild')
  const { metafile } = await build({
    ...options,
    entryPoints: [ALL],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    platform: 'node',
    loader: Object.fromEntries([...endings].map((one) => [one, 'empty'])),
    // Resolves like Node.
    mainFields: ['main'],
    conditions: [],
    logLevel: 'silent',
    logLimit: 0,
    plugins: [startPlugin(starts), lenientPlugin(missing, broken)],
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
      const all = starts.map((_, index) => `import '${index}'`).join('\n')
      onResolve({ filter: new RegExp(`^(?:${ALL}|\\d+)$`) }, ({ path, kind, importer }) =>
        kind === 'entry-point' || importer === ALL ? { path, namespace: START } : undefined,
      )
      onLoad({ filter: /.*/, namespace: START }, ({ path }) => {
        if (path === ALL) return { contents: all }
        const { code, importer } = starts[Number(path)] as Start
        return { contents: code, resolveDir: dirname(importer), loader: 'js' }
      })
    },
  }
}

/** Leaves out imports that can't be resolved from their file, and broken files. */
function lenientPlugin(missing: ReadonlySet<string>, broken: ReadonlySet<string>): Plugin {
  /** Marks calls of esbuild's own resolver, which come back to `onResolve`. */
  const resolving = Symbol('resolving')
  return {
    name: 'framework-lenient',
    setup({ onResolve, onLoad, resolve: resolveWith }) {
      onLoad({ filter: oneOf(broken) }, () => ({ contents: '' }))
      onResolve({ filter: oneOf(missing) }, async ({ path, pluginData, ...from }) => {
        if (pluginData === resolving) return undefined
        const found = await resolveWith(path, { ...from, pluginData: resolving })
        return found.errors.length > 0 ? { path, external: true } : found
      })
    },
  }
}

function oneOf(texts: ReadonlySet<string>): RegExp {
  // Escapes no more: esbuild reads it as a regular expression of Go, which refuses a backslash before letters such as `é`.
  const escaped = [...texts].map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  return new RegExp(`^(?:${escaped.length > 0 ? escaped.join('|') : String.raw`[^\s\S]`})$`)
}
