/** Reports what installed packages would do when the application starts and runs. Reads their source, and runs nothing. */
import { satisfies } from '../../runtime/boot/version-range.ts'
import type { OnDiagnostic, ResolvedOptions, SourceGraph } from '../model/index.ts'
import { diagnostic, warning } from '../report/errors.ts'
import type { TargetProfile } from '../servers/index.ts'
import { packageJsonIn } from '../util/package-json.ts'
import { displayPath, packageFolderOf } from '../util/paths.ts'
import { adviceFor, isInUse } from './advice.ts'
import type { GraphEntry, PackageFacts } from './facts.ts'
import { factsOf } from './facts.ts'
import { testedPlugins } from './tested-plugins.ts'

export type { GraphEntry, PackageFacts } from './facts.ts'
export { factsOf } from './facts.ts'

type Source = Pick<SourceGraph, 'names' | 'packages' | 'plugins'>

/**
 * Reports imported packages that generate code, and registered plugins that ask for another Fastify.
 *
 * @param look reads the packages, or restores what an earlier build has read
 */
export async function reportPackages(
  source: Source,
  options: Pick<ResolvedOptions, 'root' | 'strictEval'>,
  profile: Pick<TargetProfile, 'generatesCode' | 'fastify'>,
  report: OnDiagnostic,
  look: (entries: readonly GraphEntry[]) => Promise<PackageFacts> = factsOf,
): Promise<void> {
  if (source.packages.length === 0) return
  const facts = await look(source.packages)
  // Fastify itself generates code, so that further packages that do make no difference.
  if (!profile.generatesCode || options.strictEval)
    reportCodeGeneration(source, options, facts, report)
  reportPluginVersions(source, facts, profile.fastify, report)
}

/** Reports each imported package that may generate code, once: at its first import. */
function reportCodeGeneration(
  { packages, names }: Source,
  { root, strictEval }: Pick<ResolvedOptions, 'root' | 'strictEval'>,
  facts: PackageFacts,
  report: OnDiagnostic,
): void {
  const make = strictEval ? diagnostic : warning
  const reported = new Set<string>()
  packages.forEach(({ at }, index) => {
    const found = facts[index]?.generators.find((one) => isInUse(one.packages, names))
    if (found === undefined) return
    const [first = ''] = found.packages
    if (reported.has(first)) return
    reported.add(first)
    const place = `${displayPath(found.file, root)}:${found.line}`
    const advice = adviceFor(found.packages)
    report(make('AOT_CODE_GENERATION', at, found.packages, found.what, place, advice))
  })
}

/**
 * Reports plugins of packages that need another version of Fastify. The application wouldn't start.
 *
 * @param fastify the version that the target behaves like
 */
function reportPluginVersions(
  { packages, plugins }: Source,
  facts: PackageFacts,
  fastify: string,
  report: OnDiagnostic,
): void {
  for (const { specifier, importer, isConditional, at } of plugins) {
    const index = packages.findIndex(
      (one) => one.specifier === specifier && one.importer === importer,
    )
    const { file, ranges = [] } = facts[index] ?? {}
    const [range] = ranges
    if (file === undefined || range === undefined) continue
    if (ranges.some((one) => satisfies(fastify, one))) continue
    const { name: plugin = specifier, version = '' } = packageJsonIn(packageFolderOf(file) ?? '')
    const tested = testedPlugins[satisfies(fastify, '4.x') ? 4 : 5]
    const advice = Object.hasOwn(tested, plugin)
      ? `Install the one that is tested here: \`npm install "${plugin}@${tested[plugin]}"\`.`
      : `Install one that fits: \`npm view ${plugin} versions\` lists them.`
    const make = isConditional ? warning : diagnostic
    report(make('AOT_PLUGIN_VERSION', at, `"${plugin}" ${version}`, range, fastify, advice))
  }
}
