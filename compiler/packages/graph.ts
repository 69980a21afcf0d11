import { resolve } from 'node:path'
import type { Message, Metafile, Plugin } from 'esbuild'
import { followImports, inputOfStart, isStart, type Start } from '../util/follow-imports.ts'

/** Where the application imports a package. */
export interface GraphEntry {
  /** As written, or an absolute path. */
  readonly specifier: string
  /** Absolute. */
  readonly importer: string
  readonly isRequired: boolean
}

/** The files of packages, and their imports. */
export interface ModuleGraph {
  /** The file of each entry, in their order. `undefined` if the package isn't installed. */
  readonly entries: readonly (string | undefined)[]
  /** The files that a file imports. All absolute. */
  readonly imports: ReadonlyMap<string, readonly string[]>
}

/** Packages that aren't followed: this one, and those that it replaces. */
const KNOWN: ReadonlySet<string> = new Set([
  'framework',
  'framework/5',
  'fastify',
  'fastify-plugin',
])

/** Files and imports that stop the bundler. They are left out. */
interface Obstacles {
  /** Names of modules that aren't installed. They may be optional. */
  readonly missing: Set<string>
  /** Files that aren't JavaScript. */
  readonly broken: Set<string>
  /** Extensions of files that aren't modules. */
  readonly endings: Set<string>
}

/** Follows the imports of packages. Bundles again without obstacles until there are none. */
export async function graphOf(entries: readonly GraphEntry[]): Promise<ModuleGraph> {
  const obstacles: Obstacles = { missing: new Set(), broken: new Set(), endings: new Set() }
  for (;;) {
    const before = sizeOf(obstacles)
    try {
      return toGraph(entries, await metafileOf(entries, obstacles))
    } catch (error) {
      noteObstacles(error, obstacles)
      if (sizeOf(obstacles) === before) throw error
    }
  }
}

function sizeOf({ missing, broken, endings }: Obstacles): number {
  return missing.size + broken.size + endings.size
}

/** Collects all obstacles that a failed run lists. */
function noteObstacles(error: unknown, { missing, broken, endings }: Obstacles): void {
  if (!(error instanceof Error) || !('errors' in error)) return
  for (const { text, location } of error.errors as readonly Message[]) {
    const [, name] = /^Could not resolve "(.+)"/.exec(text) ?? []
    const [, ending] = /^No loader is configured for "(.+)" files/.exec(text) ?? []
    if (name !== undefined) missing.add(name)
    else if (ending !== undefined) endings.add(ending)
    else if (location !== null && !isStart(location.file)) broken.add(resolve(location.file))
  }
}

async function metafileOf(
  entries: readonly GraphEntry[],
  { missing, broken, endings }: Obstacles,
): Promise<Metafile> {
  return followImports(entries.map(toStart), {
    external: [...KNOWN, ...missing],
    loader: { '.node': 'empty', ...Object.fromEntries([...endings].map((one) => [one, 'empty'])) },
    plugins: broken.size > 0 ? [emptyPlugin(broken)] : [],
  })
}

function toStart({ specifier, importer, isRequired }: GraphEntry): Start {
  const name = JSON.stringify(specifier)
  return { importer, code: isRequired ? `require(${name})` : `export * as all from ${name}` }
}

function toGraph(entries: readonly GraphEntry[], { inputs }: Metafile): ModuleGraph {
  const imports = new Map<string, readonly string[]>()
  for (const [input, { imports: all }] of Object.entries(inputs)) {
    const known = all.filter(({ external }) => external !== true)
    imports.set(
      isStart(input) ? input : resolve(input),
      known.map(({ path }) => resolve(path)),
    )
  }
  return { entries: entries.map((_, index) => imports.get(inputOfStart(index))?.[0]), imports }
}

function emptyPlugin(files: ReadonlySet<string>): Plugin {
  const names = [...files].map((file) => file.replaceAll(/[^\w/]/g, String.raw`\$&`))
  return {
    name: 'framework-broken-files',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`^(?:${names.join('|')})$`) }, () => ({ contents: '' }))
    },
  }
}

/** Returns the name of a file's package, and `undefined` for files of the application. */
export function packageOf(file: string): string | undefined {
  const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file) ?? []
  return name?.replaceAll('\\', '/')
}

export function isPackageCode(file: string): boolean {
  return packageOf(file) !== undefined && /\.[cm]?js$/.test(file)
}
