/** `framework deploy --analyze`: the size of each module, and the CPU time of a start by package. */
import type { Diagnostic, ResolvedOptions } from '../../model/index.ts'
import { writeWhole } from '../../util/atomic-write.ts'
import type { ModuleSize } from '../sizes.ts'
import type { NodeOptions } from '../start/node-release.ts'
import { nodeRelease } from '../start/node-release.ts'
import { startFails } from '../start/start-once.ts'
import { analysisPage } from './page.ts'
import { profileStarts } from './profile.ts'

/** CPU time of a start. */
export interface Cost {
  /** A package, `''` for the application, or another name such as garbage collection. */
  readonly name: string
  readonly ms: number
}

export interface Analysis {
  /** Name of the application. */
  readonly name: string
  /** Largest first. */
  readonly modules: readonly ModuleSize[]
  /** Most expensive first; `undefined` for deployments that can't be started here. */
  readonly costs: readonly Cost[] | undefined
}

export interface WrittenAnalysis extends Pick<Analysis, 'costs'> {
  /** The file of the page. */
  readonly page: string
}

/** Starts the deployment several times to measure its costs. */
export async function costsOf(
  folder: string,
  node: NodeOptions,
  options: ResolvedOptions,
): Promise<readonly Cost[] | Diagnostic> {
  const release = nodeRelease(node)
  if ('code' in release) return release
  const costs = await profileStarts(folder, release, options.bootTimeout)
  if ('reason' in costs) return startFails(costs, options)
  return [...costs]
    .map(([name, ms]) => ({ name, ms }))
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => b.ms - a.ms)
}

export function writeAnalysis(page: string, analysis: Analysis): WrittenAnalysis {
  writeWhole(page, analysisPage(analysis))
  return { page, costs: analysis.costs }
}
