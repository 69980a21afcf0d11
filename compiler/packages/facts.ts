import type { GraphEntry, ModuleGraph } from './graph.ts'
import { graphOf, packageOf, readModule } from './graph.ts'
import { summarize } from './summarize.ts'
import type { PluginRanges } from './plugin-ranges.ts'
import { pluginRanges } from './plugin-ranges.ts'
import type { FileSummary } from './summary.ts'
import { parseModule } from './syntax.ts'

/** What the installed packages that an application imports are, as far as it matters which of them generate code. */
export interface PackageFacts {
  readonly graph: ModuleGraph
  /** Of the files through which generated code may be reached; others are left out. */
  readonly summaries: ReadonlyMap<string, FileSummary>
  /** Of the entries whose plugins ask for a range of Fastify. */
  readonly plugins: ReadonlyMap<string, PluginRanges>
}

/** A file without any of these words generates no code. */
const WORDS = /\bFunction\b|\beval\b|\)\s*\.constructor\b|\bajv\b/

/** Looks into the packages behind the entries, and into all that they import. */
export async function factsOf(entries: readonly GraphEntry[]): Promise<PackageFacts> {
  const graph = await graphOf(entries)
  const threads = threadsOf(graph)
  if (threads.length === 0) return summarizeAll(graph)
  // The files of threads are named by paths, which nothing but the code that starts them knows.
  const { entries: files, imports } = await graphOf([...entries, ...threads])
  const all = new Map(imports)
  threads.forEach(({ specifier, importer }, index) => {
    const file = files[entries.length + index]
    if (file !== undefined) {
      all.set(importer, new Map([...(all.get(importer) ?? []), [specifier, file]]))
    }
  })
  return summarizeAll({ entries: files.slice(0, entries.length), imports: all })
}

function threadsOf({ imports }: ModuleGraph): readonly GraphEntry[] {
  return [...imports.keys()].filter(isPackageCode).flatMap((file) => {
    const text = readModule(file)
    if (!text.includes('worker_threads') || !/\bWorker\b/.test(text)) return []
    const { workers } = summarize(parseModule(file, text))
    return workers.map((specifier) => ({ specifier, importer: file, isRequired: true }))
  })
}

function summarizeAll({ entries, imports: all }: ModuleGraph): PackageFacts {
  const importers = new Map<string, string[]>()
  for (const [file, imported] of all) {
    for (const one of imported.values()) {
      const known = importers.get(one)
      if (known === undefined) importers.set(one, [file])
      else known.push(file)
    }
  }
  const summaries = new Map<string, FileSummary>()
  const reaching = new Set<string>()
  for (const file of all.keys()) {
    const text = isPackageCode(file) ? readModule(file) : ''
    if (!WORDS.test(text)) continue
    const summary = summarize(parseModule(file, text))
    if (!generates(summary)) continue
    summaries.set(file, summary)
    reaching.add(file)
  }
  for (const file of reaching) {
    if (!isPackageCode(file)) continue
    if (!summaries.has(file)) summaries.set(file, summarize(parseModule(file, readModule(file))))
    for (const one of importers.get(file) ?? []) reaching.add(one)
  }
  const imports = new Map(
    [...summaries.keys()].map((file) => {
      const reached = [...(all.get(file) ?? [])].filter(([, one]) => summaries.has(one))
      return [file, new Map(reached)] as const
    }),
  )
  return {
    graph: { entries, imports },
    summaries,
    plugins: pluginRanges({ entries, imports: all }),
  }
}

function generates({ functions, probes }: FileSummary): boolean {
  return probes || functions.some(({ sites }) => sites.length > 0)
}

function isPackageCode(file: string): boolean {
  return packageOf(file) !== undefined && /\.[cm]?js$/.test(file)
}
