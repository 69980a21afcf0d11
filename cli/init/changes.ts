/** Collects the changes to a project's files, and notes about what only its author can decide. */
import { plugAndPlayMap } from '../../compiler/packages/plug-n-play.ts'
import { messages } from '../../compiler/report/errors.ts'
import { replacesFastify } from '../../compiler/servers/detect.ts'
import { parsePackageJson } from '../../compiler/util/package-json.ts'
import { SourceFiles } from '../../compiler/util/source-files.ts'
import type { ProjectInfo } from './project-info.ts'
import { configuredRunners } from './project-info.ts'
import { addDependencies, dependsOnFastify } from './dependencies.ts'
import { ignoreFor } from './gitignore.ts'
import { otherStarts } from './other-starts.ts'
import type { Draft, PackageJson } from './package-json.ts'
import { addScripts } from './script-changes.ts'
import { buildScriptOf } from './scripts.ts'
import type { Serving } from './serving.ts'
import { preloadsFor } from './serving.ts'
import type { Starting } from './starting.ts'
import { typesFor } from './tsconfig.ts'
import { workspaceAbove } from './workspace.ts'

export interface FileChange {
  /** Path relative to the package. */
  readonly file: string
  /** Undefined for a new file. */
  readonly before: string | undefined
  readonly after: string
  /** Descriptions of the changes. */
  readonly changes: readonly string[]
}

export interface Changes {
  readonly files: readonly FileChange[]
  /** True if a package was added or its version changed. */
  readonly needsInstall: boolean
  /** Descriptions of what is left to do by hand. */
  readonly notes: readonly string[]
  /** The scripts that build and start the application. */
  readonly scripts: readonly string[]
}

export function changesFor(
  folder: string,
  packageJson: PackageJson,
  starting: Starting,
  serving: Serving,
): Changes {
  const { found, written, note } = starting
  const draft: Draft = { text: packageJson.text, changes: [], notes: [] }
  // Package managers reformat a package.json that is a single line.
  if (!packageJson.text.trimEnd().includes('\n')) {
    draft.text = `${JSON.stringify(parsePackageJson(packageJson.text), null, 2)}\n`
  }
  const start = draft.text
  const importsFastify = found.importsFastify && found.alias === undefined
  const needsFastify =
    importsFastify || dependsOnFastify(folder, Object.keys(packageJson.allDependencies)).length > 0
  const preloads = preloadsFor(
    serving,
    replacesFastify(packageJson.scripts['start']) && needsFastify,
  )
  addDependencies(draft, folder, packageJson, found, serving)
  const needsInstall = draft.changes.length > 0
  addScripts(draft, packageJson, starting, serving, preloads)
  if (note !== undefined) draft.notes.push(note)
  const programs = [found.entry, found.program].filter((one) => one !== undefined)
  draft.notes.push(...otherStarts(folder, programs, preloads, workspaceAbove(folder)))
  addTestNotes(draft, found, serving)
  if (plugAndPlayMap(folder, new SourceFiles()) !== undefined) {
    draft.notes.push(messages.AOT_PLUG_N_PLAY())
  }
  const files: FileChange[] = []
  if (draft.text !== start) {
    const { changes } = draft
    files.push({ file: 'package.json', before: packageJson.text, after: draft.text, changes })
  }
  if (written !== undefined) files.push(written)
  files.push(...typesFor(folder, packageJson, found, serving, draft), ...ignoreFor(folder))
  const { scripts = {} } = parsePackageJson(draft.text)
  const names = [buildScriptOf(packageJson.scripts), 'start'].filter((name) => name in scripts)
  return { files, needsInstall, notes: draft.notes, scripts: names }
}

/** Adds notes about test runners, which are configured in their own files, and about bundlers. */
function addTestNotes(
  draft: Draft,
  { testRunners, bundlers }: ProjectInfo,
  { line, isOurs, isReplaced }: Serving,
): void {
  const imported = line === 'fastify@5' ? 'framework/5' : 'framework'
  const replacing: Readonly<Record<string, string>> = {
    vitest: 'name `framework/fastify` and',
    jest: `map \`'^fastify$'\` to \`${imported}\` in \`moduleNameMapper\`, and name`,
  }
  for (const runner of testRunners) {
    const name = configuredRunners[runner]
    // `addScripts` handles `node --test`, and other runners without a configuration if Fastify is replaced.
    if (!isOurs || runner === 'node:test' || (isReplaced && name === undefined)) continue
    const where = name === undefined ? 'what it loads first' : '`setupFiles` of its configuration'
    const how = isReplaced ? replacing[runner] : 'name'
    draft.notes.push(
      `${name ?? runner}: ${how} \`framework/development\`, or ./.framework/register.js, in ${where}.`,
    )
  }
  if ((isOurs && !isReplaced) || bundlers.length === 0) return
  const instead = isReplaced
    ? 'keep it out of the bundle, or import `framework` or `framework/5` in its place'
    : 'give Fastify the option `schemaController` of ./.framework/schema-controller.mjs'
  draft.notes.push(
    `If ${bundlers.join(' or ')} puts Fastify into a bundle, the flag has nothing to stand in for: ${instead}.`,
  )
}
