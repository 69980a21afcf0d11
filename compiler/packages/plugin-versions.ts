import { satisfies } from '../../runtime/boot/version-range.ts'
import type { Report, SourceGraph } from '../model/index.ts'
import { diagnostic, warning } from '../report/errors.ts'
import { packageJsonIn } from '../util/package-json.ts'
import { packageFolderOf } from '../util/paths.ts'
import { testedPlugins } from './tested-plugins.ts'
import type { PackageFacts } from './facts.ts'

/**
 * Reports plugins of packages that need another version of Fastify. The application wouldn't start.
 *
 * @param fastify the version that the target behaves like
 */
export function reportPluginVersions(
  { packages, plugins }: Pick<SourceGraph, 'packages' | 'plugins'>,
  facts: PackageFacts,
  fastify: string,
  report: Report,
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
    const advice = adviceFor(plugin, fastify)
    const make = isConditional ? warning : diagnostic
    report(make('AOT_PLUGIN_VERSION', at, `"${plugin}" ${version}`, range, fastify, advice))
  }
}

function adviceFor(plugin: string, fastify: string): string {
  const tested = testedPlugins[satisfies(fastify, '4.x') ? 4 : 5]
  return Object.hasOwn(tested, plugin)
    ? `Install the one that is tested here: \`npm install "${plugin}@${tested[plugin]}"\`.`
    : `Install one that fits: \`npm view ${plugin} versions\` lists them.`
}
