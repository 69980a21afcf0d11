import { relative } from 'node:path'
import type { DeployOptions, Deployment } from '../compiler/deploy/index.ts'
import { deploy as deployApplication } from '../compiler/deploy/index.ts'
export { targets } from '../compiler/deploy/index.ts'
import { createProgress } from './progress.ts'
import { problemsText, warningsText } from './report.ts'

/** `framework deploy`: writes the folder of a target and prints what is in it. Returns the exit code. */
export async function deploy(
  options: DeployOptions,
  { json }: { readonly json: boolean },
): Promise<number> {
  const progress = json ? undefined : createProgress()
  const result = await deployApplication(options, (phase, slow) => progress?.show(phase, slow))
  progress?.clear()
  const { diagnostics, warnings, deployment } = result
  if (warnings.length > 0 && !json) console.error(warningsText(warnings))
  if (deployment === undefined) {
    if (json) console.log(JSON.stringify({ ok: false, diagnostics, warnings }, null, 2))
    else console.error(problemsText(diagnostics, result.options.root, options))
    return 1
  }
  const out = relative(process.cwd(), deployment.out)
  if (json) console.log(JSON.stringify({ ok: true, warnings, ...deployment, out }, null, 2))
  else console.log(deploymentText(deployment, out))
  return 0
}

/** Packages beyond these are summed up. */
const MOST = 12

function deploymentText(deployment: Deployment, out: string): string {
  const { bytes, size, files, packages, assets, unknownNames, start } = deployment
  const rest = bytes.slice(MOST).reduce((sum, one) => sum + one.bytes, 0)
  const rows = bytes
    .slice(0, MOST)
    .map((one) => `  ${kilobytes(one.bytes).padStart(9)}   ${one.name || 'the application'}`)
  if (rest > 0)
    rows.push(`  ${kilobytes(rest).padStart(9)}   ${bytes.length - MOST} other packages`)
  const lines = [
    `${kilobytes(size)} of code in ${files.length === 1 ? 'one file' : `${files.length} files`}, in ${out}`,
    ...rows,
  ]
  if (packages.length > 0) lines.push(`Copied packages: ${packages.join(', ')}`)
  if (assets.length > 0) lines.push(`Copied files: ${assets.length}`)
  if (unknownNames.length > 0) {
    lines.push(`These load modules by names that only they know: ${unknownNames.join(', ')}`)
  }
  return [...lines, '', `Start it: ${start}`].join('\n')
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
