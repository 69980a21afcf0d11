import type { Call, Command } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import type { Outcome } from '../output.ts'
import { readWritingOptions, writingOptions } from './compiler-options.ts'

const options = {
  ...writingOptions,
  verify: {
    type: 'boolean',
    summary: 'boot the application as well, and fail where it differs from its source',
  },
  watch: { type: 'boolean', short: 'w', summary: 'build again whenever a file changes' },
} as const

export const build: Command = defineCommand({
  name: 'build',
  summary: 'compile the schemas of an application, and write the artifact',
  takes: [entryArgument],
  options,
  run,
})

async function run({ values, args: [given], output }: Call<typeof options>): Promise<Outcome> {
  const requested = { ...(await readWritingOptions(values, given)), verify: values.verify }
  if (values.watch) {
    const { watchBuild } = await import('../watch.ts')
    await watchBuild(requested, output)
    return { ok: true }
  }
  // Loading the compiler takes a third of a second, which a help text shouldn't cost.
  const [{ build }, text, { failedBuild, shownPath, warningsText }, { startText }] =
    await Promise.all([
      import('../../compiler/build.ts'),
      import('../text/build-report.ts'),
      import('../text/problems.ts'),
      import('../text/start.ts'),
    ])
  const start = performance.now()
  const progress = output.progress()
  const result = await build(requested, progress.show)
  progress.clear()
  const { diagnostics, warnings, artifact, options } = result
  if (artifact === undefined) return failedBuild(result, requested, output.paintError)
  const summary = {
    ...text.summaryOf(artifact),
    leftOpen: result.leftOpen,
    milliseconds: Math.round(performance.now() - start),
    out: shownPath(options.out),
  }
  return {
    ok: true,
    diagnostics,
    warnings,
    result: { summary, manifest: artifact.manifest },
    problems: warningsText(warnings, output.paintError),
    // Finding out how the application is started may read all of its sources.
    report: () => {
      const built = text.reportText(artifact, summary, result.dynamic, options.factory)
      return built + startText(options, artifact.manifest)
    },
  }
}
