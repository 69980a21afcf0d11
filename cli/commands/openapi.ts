import { resolve } from 'node:path'
import { plural } from '../../compiler/util/quantities.ts'
import type { Call, Command } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import { aboutOf, isOutcome, loadManifest } from './manifest.ts'
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
  const [{ openapiOf }, { replaceOwnFile }, { noteWritten }, { problemOutcome, shownPath }] =
    await Promise.all([
      import('../openapi/index.ts'),
      import('../../compiler/util/atomic-write.ts'),
      import('../watch/written.ts'),
      import('../text/problems.ts'),
    ])
  const { manifest, root } = loaded
  const { paintError } = output
  const result = openapiOf(manifest, aboutOf(root), root)
  if ('diagnostics' in result) return problemOutcome(result.diagnostics, root, paintError)
  const { document, unknown } = result
  const problems =
    unknown.length === 0
      ? ''
      : [
          paintError(
            'yellow',
            'Not in the document, because only the running application knows it:',
          ),
          ...unknown.map((one) => `  ${one}`),
        ].join('\n')
  const text = JSON.stringify(document, null, 2)
  if (values.out === undefined) return { ok: true, result, answer: text, problems }
  const file = resolve(values.out)
  noteWritten(file, `${text}\n`)
  const problem = replaceOwnFile(file, `${text}\n`, shownPath(file), isDocument)
  if (problem !== undefined) return problemOutcome(problem, root, paintError)
  const paths = plural(Object.keys((document['paths'] ?? {}) as object).length, 'path')
  return { ok: true, result, report: `Wrote ${shownPath(file)}: ${paths}.`, problems }
}

/** Other files aren't replaced: the user may have named the entry by mistake. */
function isDocument(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { openapi?: unknown } | null)?.openapi === 'string'
  } catch {
    return false
  }
}
