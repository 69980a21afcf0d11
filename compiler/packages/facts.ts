import { dirname, resolve } from 'node:path'
import { existsSync, readFileSync } from 'node:fs'
import { generatorsFrom, type Generator } from './generators.ts'
import { graphOf, isPackageCode, type GraphEntry, type ModuleGraph } from './graph.ts'
import { pluginRangesFrom } from './plugin-ranges.ts'
import { threadFiles } from './code-sites.ts'

/** Findings about the packages that an application imports, in the order of its imports. Plain data, kept between builds. */
export type PackageFacts = readonly EntryFacts[]

export interface EntryFacts {
  /** The file behind the import; `undefined` for a package that isn't installed. */
  readonly file?: string
  /** Places that generate code, of those that lead there by imports. */
  readonly generators: readonly Generator[]
  /** Versions of Fastify that the package's plugins ask for. */
  readonly ranges: readonly string[]
}

/** Follows the imports of packages, and searches the files for what matters to a build. */
export async function factsOf(entries: readonly GraphEntry[]): Promise<PackageFacts> {
  const graph = await withThreads(await graphOf(entries))
  const generatorsOf = generatorsFrom(graph.imports)
  return graph.entries.map((file) => {
    if (file === undefined) return { generators: [], ranges: [] }
    return { file, generators: generatorsOf(file), ranges: pluginRangesFrom(file, graph.imports) }
  })
}

/** Adds the files that packages start threads from: they are named by paths, which no bundler follows. */
async function withThreads(graph: ModuleGraph): Promise<ModuleGraph> {
  const threads = [...graph.imports.keys()].filter(isPackageCode).flatMap((file) =>
    threadFiles(readFileSync(file, 'utf8'))
      .map((path) => resolve(dirname(file), path))
      .filter((path) => existsSync(path))
      .map((specifier) => ({ specifier, importer: file, isRequired: true })),
  )
  if (threads.length === 0) return graph
  const { imports } = await graphOf(threads)
  const all = new Map([...graph.imports, ...imports])
  for (const { specifier, importer } of threads)
    all.set(importer, [...(all.get(importer) ?? []), specifier])
  return { entries: graph.entries, imports: all }
}
