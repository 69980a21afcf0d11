import type { Call, Command } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import { artifactFolder, readArtifact } from '../../compiler/artifact/reader.ts'
import { entryFor, workspaceText } from '../entry.ts'
import type { Outcome } from '../output.ts'
import { annotationFormats } from '../text/annotations.ts'
import { readCompilerOptions, readingOptions } from './compiler-options.ts'

const options = {
  against: {
    type: 'string',
    value: 'manifest or revision',
    summary: 'say what has changed for clients since that build, or that revision of Git',
  },
  format: {
    type: 'string',
    value: 'format',
    choices: annotationFormats,
    summary: 'print annotations: github, sarif',
  },
  ...readingOptions,
} as const

export const check: Command = defineCommand({
  name: 'check',
  summary: 'say whether the artifact is up to date, or what has changed for clients',
  takes: [entryArgument],
  options,
  run,
})

async function run(call: Call<typeof options>): Promise<Outcome> {
  const { values, args } = call
  const { artifact: out, against } = values
  const folder = artifactFolder(out)
  const built = readArtifact(folder)
  const read = readCompilerOptions(values)
  if (args[0] === undefined && built === undefined && against === undefined) {
    return missing(folder, await workspaceText())
  }
  const asked = {
    ...read,
    entry: await entryFor(args[0], out),
    out,
    // Use the options of the last build, unless the command line overrides them.
    allowDynamic: read.allowDynamic ?? built?.manifest.options?.allowDynamic,
    trace: read.trace ?? built?.manifest.options?.trace,
    line: built && (built.manifest.line ?? 'framework'),
  }
  const text = await import('../text/check.ts')
  // Report an unusable start of the comparison before building anything.
  const start = against === undefined ? undefined : text.startOf(against, asked.entry)
  const { pendingBuild } = await import('../../compiler/artifact/pending-build.ts')
  const progress = call.output.progress()
  const found = await pendingBuild(asked, progress.show)
  progress.clear()
  if (found.artifact === undefined) {
    const { refused } = await import('../text/problems.ts')
    return refused(found, asked, call.output.paintError)
  }
  const shown = { format: values.format, paint: call.output.paint, root: found.options.root }
  if (against === undefined || start === undefined) {
    const written = readArtifact(found.options.out)
    if (written === undefined) return missing(found.options.out)
    const { stalenessOf } = await import('../../compiler/artifact/staleness.ts')
    const staleness = stalenessOf(written, found.artifact)
    return text.freshnessOutcome(staleness, written, shown)
  }
  const before = await text.manifestOf(start, against, asked)
  if ('ok' in before) return before
  const { changesBetween } = await import('../../compiler/changes/index.ts')
  return text.changesOutcome(changesBetween(before, found.artifact.manifest), against, shown)
}

function missing(folder: string, where?: string): Outcome {
  return {
    ok: false,
    result: { state: 'missing', schemas: [], routes: [], reasons: [] },
    problems: where ?? `There is no artifact in "${folder}". Write one with \`framework build\`.`,
  }
}
