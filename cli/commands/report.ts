import { join, resolve } from 'node:path'
import { plural } from '../../compiler/util/quantities.ts'
import { artifactFolder } from '../../compiler/5-artifact/read/reader.ts'
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
    summary: 'file to write to (default: report.html in the folder of the artifact)',
  },
  ...readingOptions,
} as const

export const report: Command = defineCommand({
  name: 'report',
  summary: 'write a page that shows contexts, shared schemas, validators and serializers',
  takes: [entryArgument],
  options,
  run,
})

async function run({ values, args: [entry], output }: Call<typeof options>): Promise<Outcome> {
  const loaded = await loadManifest(values, entry, output)
  if (isOutcome(loaded)) return loaded
  const [{ overviewOf }, { overviewPage }, { isPage }, { replaceOwnFile }, text] =
    await Promise.all([
      import('../inspect/overview.ts'),
      import('../page/overview/index.ts'),
      import('../page/document.ts'),
      import('../../compiler/util/atomic-write.ts'),
      import('../text/problems.ts'),
    ])
  const { manifest, root } = loaded
  const overview = overviewOf(manifest)
  const page = overviewPage(aboutOf(root).name, overview)
  const folder = artifactFolder(values.artifact, root)
  const file = values.out === undefined ? join(folder, 'report.html') : resolve(values.out)
  const shown = text.shownPath(file)
  const problem = replaceOwnFile(file, page, shown, isPage)
  if (problem !== undefined) return text.problemOutcome(problem, root, output.paintError)
  const routes = overview.contexts.reduce((sum, one) => sum + one.routes.length, 0)
  const contexts = plural(overview.contexts.length, 'context')
  return {
    ok: true,
    result: { file: shown, overview },
    report: `Wrote ${shown}: ${plural(routes, 'route')} in ${contexts}.`,
  }
}
