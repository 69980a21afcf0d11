import { relative } from 'node:path'
import { build as buildArtifact } from '../compiler/build.ts'
import type { BuildOptions } from '../compiler/index.ts'
import { createProgress } from './progress.ts'
import { problemsText, reportText, summaryOf, warningsText } from './report.ts'

/** `framework build`: runs the compiler and prints what came of it. Returns the exit code. */
export async function build(
  options: BuildOptions,
  { json }: { readonly json: boolean },
): Promise<number> {
  const start = performance.now()
  const progress = json ? undefined : createProgress()
  const result = await buildArtifact(options, (phase, slow) => progress?.show(phase, slow))
  progress?.clear()
  const { diagnostics, warnings, artifact } = result
  const { out, root } = result.options
  const milliseconds = Math.round(performance.now() - start)
  if (warnings.length > 0 && !json) console.error(warningsText(warnings))
  if (artifact === undefined) {
    if (json) console.log(JSON.stringify({ ok: false, diagnostics, warnings }, null, 2))
    else console.error(problemsText(diagnostics, root, options))
    return 1
  }
  const summary = {
    ...summaryOf(artifact),
    leftOpen: result.leftOpen,
    milliseconds,
    out: relative(process.cwd(), out),
  }
  if (json)
    console.log(
      JSON.stringify({ ok: true, summary, warnings, manifest: artifact.manifest }, null, 2),
    )
  else console.log(reportText(artifact, summary, result.dynamic))
  return 0
}
