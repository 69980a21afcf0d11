/** Reports what installed packages would do when the application starts and runs. Reads their source, and runs nothing. */
import type { TargetProfile } from '../target-profiles/index.ts'
import type { Report, ResolvedOptions, SourceGraph } from '../model/index.ts'
import type { PackageFacts } from './facts.ts'
import { factsOf } from './facts.ts'
import type { GraphEntry } from './graph.ts'
import { reportCodeGeneration } from './report-generators.ts'
import { reportPluginVersions } from './plugin-versions.ts'

export type { PackageFacts } from './facts.ts'
export { factsOf } from './facts.ts'
export type { GraphEntry } from './graph.ts'

/**
 * Reports imported packages that generate code, and registered plugins that ask for another Fastify.
 *
 * @param look reads the packages, or restores what an earlier build has read
 */
export async function reportPackages(
  source: Pick<SourceGraph, 'names' | 'packages' | 'plugins'>,
  options: Pick<ResolvedOptions, 'root' | 'strictEval'>,
  profile: Pick<TargetProfile, 'generatesCode' | 'fastify'>,
  report: Report,
  look: (entries: readonly GraphEntry[]) => Promise<PackageFacts> = factsOf,
): Promise<void> {
  if (source.packages.length === 0) return
  const facts = await look(source.packages)
  // Fastify itself generates code, so that further packages that do make no difference.
  if (!profile.generatesCode || options.strictEval)
    reportCodeGeneration(source, options, facts, report)
  reportPluginVersions(source, facts, profile.fastify, report)
}
