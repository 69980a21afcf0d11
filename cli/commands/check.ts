import type { Call, Command } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import {
  artifactBeside,
  artifactFolder,
  readArtifact,
  recordedTarget,
} from '../../compiler/5-artifact/read/reader.ts'
import { entryFor, workspaceText } from '../entry.ts'
import type { UsageError } from '../command.ts'
import type { Outcome } from '../output.ts'
import { usageError } from '../parse.ts'
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
  rules: {
    type: 'boolean',
    summary: 'check only the rules of framework.rules.js',
  },
  ...readingOptions,
} as const

export const check: Command = defineCommand({
  name: 'check',
  summary: 'say whether the artifact is up to date and rules hold, or what has changed for clients',
  takes: [entryArgument],
  options,
  run,
})

async function run(call: Call<typeof options>): Promise<Outcome> {
  const { values, args } = call
  const { artifact: out, against } = values
  const folder = artifactFolder(out)
  const read = readCompilerOptions(values)
  const needsArtifact = against === undefined && values.rules !== true
  if (args[0] === undefined && needsArtifact && readArtifact(folder) === undefined) {
    return missing(folder, await workspaceText())
  }
  const entry = await entryFor(args[0], out)
  const built = artifactBeside(entry, out)
  const requested = {
    ...read,
    entry,
    out,
    // Use the options of the last build, unless the command line overrides them.
    allowDynamic: read.allowDynamic ?? built?.manifest.options?.allowDynamic,
    trace: read.trace ?? built?.manifest.options?.trace,
    boot: read.boot && built?.manifest.options?.boot,
    // Even if the application has moved to another server, which `stalenessOf` reports.
    line: built && recordedTarget(built),
  }
  const [text, { baselineManifest }] = await Promise.all([
    import('../text/check.ts'),
    import('../baseline.ts'),
  ])
  const before = against === undefined ? undefined : await baselineManifest(against, requested)
  if (before !== undefined && 'ok' in before) return before
  const { pendingBuild } = await import('../../compiler/build.ts')
  const progress = call.output.progress()
  const found = await pendingBuild(requested, progress.show)
  progress.clear()
  if (found.artifact === undefined) {
    const { failedBuild } = await import('../text/problems.ts')
    return failedBuild(found, requested, call.output.paintError)
  }
  const { root } = found.options
  const shown = { format: values.format, paint: call.output.paint, root }
  if (against === undefined || before === undefined) {
    const { findRules } = await import('../rules/load.ts')
    const file = findRules(root)
    if (file === undefined && values.rules === true) throw noRules(root)
    const { rulesOutcome } = await import('../text/rules.ts')
    const { manifest } = found.artifact
    if (file && values.rules === true) return rulesOutcome(file, manifest, shown)
    if (built === undefined) return missing(found.options.out)
    const { stalenessOf } = await import('../../compiler/5-artifact/read/staleness.ts')
    const freshness = text.freshnessOutcome(stalenessOf(built, found.artifact), built, shown)
    return file ? rulesOutcome(file, manifest, shown, freshness) : freshness
  }
  const { changesBetween } = await import('../changes/index.ts')
  return text.changesOutcome(changesBetween(before, found.artifact.manifest), against, shown)
}

function noRules(root: string): UsageError {
  return usageError(
    `There is no \`framework.rules.js\` in "${root}". Write one, or name it in package.json: "framework": { "rules": "<file>" }.`,
  )
}

function missing(folder: string, where?: string): Outcome {
  return {
    ok: false,
    result: { state: 'missing', schemas: [], routes: [], reasons: [] },
    problems: where ?? `There is no artifact in "${folder}". Write one with \`framework build\`.`,
  }
}
