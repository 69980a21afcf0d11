import { relative } from 'node:path'
import type { PackageImport, Report, ResolvedOptions, SourceGraph } from '../model/index.ts'
import { diagnostic, warning } from '../report/errors.ts'
import { adviceFor, isInUse } from './advice.ts'
import type { PackageFacts } from './facts.ts'
import { packageOf } from './graph.ts'
import type { Certainty, Reached } from './reach.ts'
import { reachedFrom } from './reach.ts'

const ORDER: readonly Certainty[] = ['loaded', 'used', 'perhaps']

/** A package that the application imports, and the place that generates code to which that leads most surely. */
interface Generator {
  readonly at: PackageImport['at']
  /** From the one that is imported to the one that generates code. */
  readonly packages: readonly string[]
  readonly found: Reached
}

/** Reports each imported package that generates code when it is loaded or used: `new Function`, `eval`, a class of Ajv. */
export function reportGenerators(
  { packages, names }: Pick<SourceGraph, 'names' | 'packages'>,
  { root, strictEval }: Pick<ResolvedOptions, 'root' | 'strictEval'>,
  facts: PackageFacts,
  report: Report,
): void {
  const make = strictEval ? diagnostic : warning
  for (const { at, packages: chain, found } of generatorsOf(packages, names, facts)) {
    const file = found.files.at(-1) as string
    const place = `${relative(root, file).replaceAll('\\', '/')}:${found.site.line}`
    const advice = adviceFor(chain)
    report(make('AOT_CODE_GENERATION', at, chain, found.certainty, found.site.what, place, advice))
  }
}

/** One for each package: where it is first imported, with what is most certain. */
function generatorsOf(
  packages: readonly PackageImport[],
  names: ReadonlySet<string>,
  { graph, summaries }: PackageFacts,
): Iterable<Generator> {
  const probing = new Set<string | undefined>()
  for (const [file, { probes }] of summaries) if (probes) probing.add(packageOf(file))
  const best = new Map<string, Generator>()
  packages.forEach(({ at, isCertain }, index) => {
    const file = graph.entries[index]
    if (file === undefined) return
    const start = { file, isCertain, names }
    for (const found of reachedFrom(start, graph, (one) => summaries.get(one))) {
      const chain = chainOf(found)
      const [first, last] = [chain[0] as string, chain.at(-1) as string]
      // One that tries whether it may generate code has another way.
      if (probing.has(last) || !chain.every((name) => isInUse(name, names))) continue
      // Who uses the parts of Ajv generates nothing; who makes one is a place of its own.
      if (last === 'ajv' && first !== 'ajv' && found.site.what !== 'new Ajv') continue
      const known = best.get(first)
      if (known === undefined || isMoreCertain(found, known.found)) {
        best.set(first, { at: known?.at ?? at, packages: chain, found })
      }
    }
  })
  return best.values()
}

function isMoreCertain(a: Reached, b: Reached): boolean {
  return ORDER.indexOf(a.certainty) < ORDER.indexOf(b.certainty)
}

function chainOf({ files, site }: Reached): string[] {
  const names = files.map((file) => packageOf(file) ?? '')
  if (site.what === 'new Ajv') names.push('ajv')
  return names.filter((name, index) => name !== '' && name !== names[index - 1])
}
