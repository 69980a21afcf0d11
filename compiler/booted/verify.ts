/** Compares what a booted application declares with its source, for `--verify`. */
import { resolve } from '../3-resolve/index.ts'
import type { FunctionOptions } from '../3-resolve/function-options.ts'
import type { ContextTree, OnDiagnostic } from '../model/index.ts'
import { instancesOf } from '../report/context-path.ts'
import { diagnostic } from '../report/errors.ts'
import type { TargetProfile } from '../servers/index.ts'
import { alignInstances } from './align.ts'
import { compare } from './compare.ts'
import { compareOptions } from './index.ts'
import type { Booted } from './recorded.ts'
import type { Recording } from './recording.ts'

/** Problems of a tree itself are reported elsewhere. */
const ignore: OnDiagnostic = () => undefined

/** @param functions those of each scanned instance */
export function verify(
  scanned: ContextTree,
  { tree, recording, ofPackages }: Booted,
  functions: readonly FunctionOptions[],
  profile: TargetProfile,
  report: OnDiagnostic,
): void {
  for (const pair of alignInstances(scanned, tree)) {
    if (pair.recorded === undefined) continue
    if (pair.scanned === undefined) {
      const problem = 'it creates another instance, which was not found'
      report(diagnostic('AOT_VERIFY_CONTEXT', pair.recorded.root.at, problem))
      continue
    }
    const used = [functions[instancesOf(scanned).indexOf(pair.scanned)] as FunctionOptions]
    const inSource = { ...pair.scanned, others: [] }
    // Booting can't record functions in options: use those of the source.
    const inBoot = { ...pair.recorded, options: inSource.options, others: [] }
    const recorded = [recording, ...recording.others][instancesOf(tree).indexOf(pair.recorded)]
    compareOptions(inSource.options, recorded as Recording, report)
    compare(
      { tree: inSource, app: resolve(inSource, used, ignore, profile) },
      { tree: inBoot, app: resolve(inBoot, used, ignore, profile) },
      ofPackages,
      report,
    )
  }
}
