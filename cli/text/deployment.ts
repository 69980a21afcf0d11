import type { Deployment } from '../../compiler/deploy/index.ts'
import type { Target } from '../../compiler/deploy/targets/index.ts'
import { kilobytes } from '../../compiler/util/quantities.ts'
import { listed } from './table.ts'

/** Next step for deployments that aren't started with a command. */
const NEXT_STEPS: Readonly<Partial<Record<Target, string>>> = {
  lambda: 'Pack and upload it',
  vercel: 'Upload it',
  web: 'Use it',
}

/** Maximum length of a list. */
const MAX_LISTED = 12

/** @param furtherChanges text about changes outside of the deployment @param factory the import that serves in place of `replaces` */
export function deploymentText(
  deployment: Deployment,
  target: Target,
  furtherChanges: string | undefined,
  factory: string,
): string {
  const { out, bytes, size, files, packages, assets, unknownNames, unknownFiles } = deployment
  const { replaces, start, analysis } = deployment
  const rest = bytes.slice(MAX_LISTED).reduce((sum, one) => sum + one.bytes, 0)
  const rows = bytes
    .slice(0, MAX_LISTED)
    .map((one) => `  ${kilobytes(one.bytes).padStart(9)}   ${one.name || 'the application'}`)
  if (rest > 0)
    rows.push(`  ${kilobytes(rest).padStart(9)}   ${bytes.length - MAX_LISTED} other packages`)
  const lines = [
    `${kilobytes(size)} of code in ${files.length === 1 ? 'one file' : `${files.length} files`}, in ${out}`,
    ...rows,
  ]
  if (packages.length > 0) lines.push(`Copied packages: ${packages.join(', ')}`)
  if (assets.length > 0) lines.push(`Copied files: ${listed(assets, MAX_LISTED)}`)
  if (unknownNames.length > 0) {
    lines.push(`These load modules by computed names: ${unknownNames.join(', ')}`)
  }
  if (unknownFiles.length > 0) {
    const names = unknownFiles.join(', ')
    lines.push(`These name files by computed names, which \`--include\` can add: ${names}`)
  }
  if (replaces !== undefined) {
    lines.push(`${factory} serves instead of ${replaces}`)
  }
  if (analysis !== undefined) lines.push(...analysisLines(analysis))
  if (furtherChanges !== undefined) lines.push(furtherChanges)
  return [...lines, '', `${NEXT_STEPS[target] ?? 'Start it'}: ${start}`].join('\n')
}

function analysisLines({ page, costs = [] }: NonNullable<Deployment['analysis']>): string[] {
  const rows = costs
    .slice(0, MAX_LISTED)
    .map(({ name, ms }) => `  ${ms.toFixed(1).padStart(6)} ms   ${name || 'the application'}`)
  const heading =
    rows.length > 0 ? ['Time of a start until it listens, under the profiler:', ...rows] : []
  return [...heading, `Page with the contents of the bundle: ${page}`]
}
