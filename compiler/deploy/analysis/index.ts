/** What a deployment is made of, and what its start costs. */
import type { Diagnostic, ResolvedOptions } from '../../model/index.ts'
import { writeWhole } from '../../util/atomic-write.ts'
import type { ModuleSize } from '../sizes.ts'
import type { FasterStart } from '../start/index.ts'
import { startFails } from '../start/index.ts'
import { nodeRelease } from '../process/node-release.ts'
import { analysisPage } from './page.ts'
import { profileStarts } from './profile.ts'

/** CPU time of a start. */
export interface Cost {
  /** A package, `''` for the application, or what else takes time. */
  readonly name: string
  readonly ms: number
}

export interface Analysis {
  /** What the application is called. */
  readonly name: string
  /** Largest first. */
  readonly modules: readonly ModuleSize[]
  /** Dearest first; `undefined` where the deployment cannot be started here. */
  readonly costs: readonly Cost[] | undefined
}

export interface WrittenAnalysis extends Pick<Analysis, 'costs'> {
  /** The page's file. */
  readonly page: string
}

/** Starts the deployment several times, and tells on what it spends its time. A problem when it does not start. */
export async function costsOf(
  folder: string,
  { node = process.execPath, nodeFlags = [] }: FasterStart,
  options: ResolvedOptions,
): Promise<readonly Cost[] | Diagnostic> {
  const release = nodeRelease(node, nodeFlags, {})
  if ('code' in release) return release
  const costs = await profileStarts(folder, release, options.bootTimeout)
  if ('reason' in costs) return startFails(costs, options)
  return [...costs]
    .map(([name, ms]) => ({ name, ms }))
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => b.ms - a.ms)
}

/** Writes the analysis as a page. */
export function writeAnalysis(page: string, analysis: Analysis): WrittenAnalysis {
  writeWhole(page, analysisPage(analysis))
  return { page, costs: analysis.costs }
}
