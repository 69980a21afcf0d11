import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build as buildArtifact } from '../compiler/build.ts'
import type { BuildOptions, Phase } from '../compiler/index.ts'
import { isFile } from '../compiler/options.ts'
import { problemsText, reportText, summaryOf, warningsText } from './report.ts'

const DOING: Record<Phase, string> = {
  scan: 'reading the application',
  boot: 'booting the application',
  resolve: 'resolving references',
  emit: 'compiling schemas',
  bundle: 'bundling',
  write: 'writing the artifact',
}

/** `framework build`: runs the compiler and prints what came of it. Returns the exit code. */
export async function build(
  options: BuildOptions,
  { json }: { readonly json: boolean },
): Promise<number> {
  const start = performance.now()
  const progress = json ? undefined : createProgress()
  const result = await buildArtifact(options, (phase, slow) =>
    progress?.show(slow === undefined ? DOING[phase] : `${DOING[phase]}: ${slow} takes long`),
  )
  progress?.clear()
  const { diagnostics, warnings, artifact } = result
  const { out, root } = result.options
  const milliseconds = Math.round(performance.now() - start)
  if (warnings.length > 0 && !json) console.error(warningsText(warnings))
  if (artifact === undefined) {
    if (json) console.log(JSON.stringify({ ok: false, diagnostics, warnings }, null, 2))
    else {
      // The entry itself may be what is missing.
      const readSource = (file: string): string =>
        isFile(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
      console.error(problemsText(diagnostics, readSource, options))
    }
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

interface Progress {
  show(text: string): void
  clear(): void
}

/** One line that is written over on a terminal, one line per step elsewhere. */
function createProgress(): Progress {
  const { stderr } = process
  if (!stderr.isTTY) {
    return { show: (text) => stderr.write(`${text}\n`), clear: () => undefined }
  }
  const erase = '\r\u001B[2K'
  return { show: (text) => stderr.write(`${erase}${text} ...`), clear: () => stderr.write(erase) }
}
