import type { Call, Command } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import { isOutcome, loadManifest } from './manifest.ts'
import type { Outcome } from '../output.ts'
import { readingOptions } from './compiler-options.ts'

const options = {
  out: {
    type: 'string',
    short: 'o',
    value: 'file',
    summary: 'file to write to (default: standard output)',
  },
  ...readingOptions,
} as const

export const openapi: Command = defineCommand({
  name: 'openapi',
  summary: 'write the OpenAPI document of an application, without starting it',
  takes: [entryArgument],
  options,
  run,
})

async function run({ values, args: [entry], output }: Call<typeof options>): Promise<Outcome> {
  const loaded = await loadManifest(values, entry, output)
  if (isOutcome(loaded)) return loaded
  const [{ openapiOf }, { aboutOf }, { openapiOutcome }, { problemOutcome }] = await Promise.all([
    import('../../compiler/openapi/index.ts'),
    import('../text/about.ts'),
    import('../text/openapi.ts'),
    import('../text/report.ts'),
  ])
  const result = openapiOf(loaded.manifest, aboutOf(loaded.root), loaded.root)
  return 'diagnostics' in result
    ? problemOutcome(result.diagnostics, loaded.root, output.paintError)
    : openapiOutcome(result, loaded.root, values.out, output.paintError)
}
