import { resolve } from 'node:path'
import { isPackageFile } from '../util/paths.ts'
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

/** Follows the imports of packages. */
export async function graphOf(entries: readonly GraphEntry[]): Promise<ModuleGraph> {
  const { inputs } = await followImports(entries.map(toStart), { external: [...KNOWN] })
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

function toStart({ specifier, importer, isRequired }: GraphEntry): Start {
  const name = JSON.stringify(specifier)
  return { importer, code: isRequired ? `require(${name})` : `export * as all from ${name}` }
}

export function isPackageCode(file: string): boolean {
  return isPackageFile(file) && /\.[cm]?js$/.test(file)
}
