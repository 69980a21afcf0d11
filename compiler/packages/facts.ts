/** Collects facts about the packages that an application imports. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { followImports, inputOfStart, isStart } from '../util/follow-imports.ts'
import { isPackageCode, threadFiles } from './code-sites.ts'
import { generatorsFrom, type Generator } from './generators.ts'
import { pluginRangesFrom } from './plugin-ranges.ts'

/** Where the application imports a package. */
export interface GraphEntry {
  /** As written, or an absolute path. */
  readonly specifier: string
  /** Absolute. */
  readonly importer: string
  readonly isRequired: boolean
}

/** Findings about the packages that an application imports, in the order of its imports. Plain data, kept between builds. */
export type PackageFacts = readonly EntryFacts[]

interface EntryFacts {
  /** The file behind the import; `undefined` if the package isn't installed or isn't followed. */
  readonly file?: string
  /** Places that generate code at run time, in the files that the package's imports lead to. */
  readonly generators: readonly Generator[]
  /** Ranges of Fastify versions that the package's plugins declare with fastify-plugin. */
  readonly ranges: readonly string[]
}

/** The files that each file of a package imports. Imports of the application are listed under the names of their starts instead, see `inputOfStart`. */
export type Imports = ReadonlyMap<string, readonly string[]>

/** Packages that aren't followed, with all their entries: this one, and those that it replaces. */
const NOT_FOLLOWED: readonly string[] = ['framework', 'fastify', 'fastify-plugin']

/** Follows the imports of packages, and searches the files for what matters to a build. */
export async function factsOf(entries: readonly GraphEntry[]): Promise<PackageFacts> {
  const followed = await importsFrom(entries)
  const imports = await withThreads(followed)
  const generatorsOf = generatorsFrom(imports)
  // Many files of an application import the same one.
  const known = new Map<string, EntryFacts>()
  return entries.map((_, index) => {
    const [file] = followed.get(inputOfStart(index)) ?? []
    if (file === undefined) return { generators: [], ranges: [] }
    const facts = known.get(file) ?? {
      file,
      generators: generatorsOf(file),
      ranges: pluginRangesFrom(file, imports),
    }
    known.set(file, facts)
    return facts
  })
}

async function importsFrom(entries: readonly GraphEntry[]): Promise<Imports> {
  const starts = entries.map(({ specifier, importer, isRequired }) => {
    const name = JSON.stringify(specifier)
    return { importer, code: isRequired ? `require(${name})` : `export * as all from ${name}` }
  })
  const { inputs } = await followImports(starts, { external: [...NOT_FOLLOWED] })
  return new Map(
    Object.entries(inputs).map(([input, { imports }]) => [
      isStart(input) ? input : resolve(input),
      imports.filter(({ external }) => external !== true).map(({ path }) => resolve(path)),
    ]),
  )
}

/** Adds the files that packages start threads from: they are named by paths instead of imports. */
async function withThreads(imports: Imports): Promise<Imports> {
  const threads = [...imports.keys()].filter(isPackageCode).flatMap((file) =>
    threadFiles(readFileSync(file, 'utf8'))
      .map((path) => resolve(dirname(file), path))
      .filter((path) => existsSync(path))
      .map((specifier) => ({ specifier, importer: file, isRequired: true })),
  )
  if (threads.length === 0) return imports
  const all = new Map([...imports, ...(await importsFrom(threads))])
  for (const { specifier, importer } of threads)
    all.set(importer, [...(all.get(importer) ?? []), specifier])
  return all
}
