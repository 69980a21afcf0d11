/** Tells what installed packages would do when the application starts and runs: by what they are made of, without running them. */
import type { LineMeaning } from '../lines/index.ts'
import type { Report, ResolvedOptions, SourceGraph } from '../model/index.ts'
import type { PackageFacts } from './facts.ts'
import { factsOf } from './facts.ts'
import { reportGenerators } from './generators.ts'
import type { GraphEntry } from './graph.ts'
import { reportPluginVersions } from './plugin-versions.ts'

export type { PackageFacts } from './facts.ts'
export { factsOf } from './facts.ts'
export type { GraphEntry } from './graph.ts'

/**
 * Reports imported packages that generate code, and registered plugins that ask for another Fastify.
 *
 * @param look gives what the packages are, maybe from an earlier build
 */
export async function reportPackages(
  source: Pick<SourceGraph, 'names' | 'packages' | 'plugins'>,
  options: Pick<ResolvedOptions, 'root' | 'strictEval'>,
  line: LineMeaning,
  report: Report,
  look: (entries: readonly GraphEntry[]) => Promise<PackageFacts> = factsOf,
): Promise<void> {
  if (source.packages.length === 0) return
  const facts = await look(source.packages)
  // Where code is generated anyway, nobody minds some more.
  if (!line.generatesCode || options.strictEval) reportGenerators(source, options, facts, report)
  reportPluginVersions(source, facts, line.fastify, report)
}
