import { relative } from 'node:path'
import type { Report, ResolvedOptions, SourceGraph } from '../model/index.ts'
import { diagnostic, warning } from '../report/errors.ts'
import { adviceFor, isInUse } from './advice.ts'
import type { PackageFacts } from './facts.ts'

/** Reports each imported package that may generate code, once: at its first import. */
export function reportCodeGeneration(
  { packages, names }: Pick<SourceGraph, 'names' | 'packages'>,
  { root, strictEval }: Pick<ResolvedOptions, 'root' | 'strictEval'>,
  facts: PackageFacts,
  report: Report,
): void {
  const make = strictEval ? diagnostic : warning
  const reported = new Set<string>()
  packages.forEach(({ at }, index) => {
    const found = facts[index]?.generators.find((one) => isInUse(one.packages, names))
    if (found === undefined) return
    const [first = ''] = found.packages
    if (reported.has(first)) return
    reported.add(first)
    const place = `${relative(root, found.file).replaceAll('\\', '/')}:${found.line}`
    const advice = adviceFor(found.packages)
    report(make('AOT_CODE_GENERATION', at, found.packages, found.what, place, advice))
  })
}
