/** `framework init`: finds out which changes a project needs to build and serve its application. */
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { LineName } from '../../runtime/artifact/lines.ts'
import type { Diagnostic } from '../../compiler/model/index.ts'
import { isFile, nearestFolder } from '../../compiler/util/paths.ts'
import { diagnostic } from '../../compiler/report/errors.ts'
import { detectServer, replacesFastify } from '../../compiler/servers/detect.ts'
import { rewrite } from '../../compiler/util/atomic-write.ts'
import { isFileError } from '../../compiler/util/source-files.ts'
import { changesFor, type Changes } from './changes.ts'
import { entryOf } from './entry.ts'
import { inspectProject, type ProjectInfo } from './project-info.ts'
import { readPackageJson } from './package-json.ts'
import { servingOf, targetConflict, type Serving } from './serving.ts'
import { findStarting } from './starting.ts'
import { applicationsIn } from './workspace.ts'

export type { Changes, FileChange } from './changes.ts'
export type { ProjectInfo } from './project-info.ts'

export interface Plan extends Changes, Serving {
  /** Folder of the package. */
  readonly folder: string
  readonly found: ProjectInfo
}

export interface InitOptions {
  /** Where to start looking for package.json. */
  readonly folder: string
  readonly entry: string | undefined
  /** The target, if the user has chosen one. */
  readonly line: LineName | undefined
}

/** Inspects a project without changing it. */
export async function planInit(options: InitOptions): Promise<Plan | Diagnostic> {
  const given = options.entry === undefined ? undefined : resolve(options.folder, options.entry)
  if (given !== undefined && !isFile(given)) {
    const file = relative(options.folder, given)
    return diagnostic('AOT_ENTRY_NOT_FOUND', { file, line: 0, column: 0 }, file)
  }
  const start = given === undefined ? options.folder : dirname(given)
  const folder = nearestFolder(start, 'package.json') ?? options.folder
  const packageJson = readPackageJson(folder)
  if (!('text' in packageJson)) return packageJson
  const at = { file: 'package.json', line: 0, column: 0 }
  const applications = applicationsIn(folder, packageJson)
  // The root may be an application itself.
  const isApplication =
    'fastify' in packageJson.allDependencies || 'framework' in packageJson.allDependencies
  const rootHasEntry = isApplication && entryOf(folder, packageJson) !== undefined
  if (applications !== undefined && given === undefined && !rootHasEntry)
    return diagnostic('AOT_INIT_WORKSPACE_ROOT', at, applications)
  const project = await inspectProject(folder, packageJson, given)
  const starting = await findStarting(folder, packageJson, project)
  const { found } = starting
  // Without an entry, pass package.json: it imports nothing, so the dependencies decide. `false`, because `servingOf` gets what the start
  // script says.
  const server = detectServer(join(folder, found.entry ?? 'package.json'), folder, false)
  const serving = servingOf(options.line, server, replacesFastify(packageJson.scripts['start']))
  if (serving === undefined) return diagnostic('AOT_INIT_FASTIFY', at, found.fastify?.version ?? '')
  const conflict = targetConflict(serving.line, found, server)
  if (conflict !== undefined) return diagnostic('AOT_INIT_TARGET', at, serving.line, conflict)
  if (found.entry === undefined) return diagnostic('AOT_INIT_ENTRY', at)
  return { folder, found, ...serving, ...changesFor(folder, packageJson, starting, serving) }
}

/**
 * Writes the changes. If a file can't be written, restores the others.
 *
 * @returns the problem, which names files that couldn't be restored
 */
export function applyChanges({
  folder,
  files,
}: Pick<Plan, 'folder' | 'files'>): Diagnostic | undefined {
  const problem = (file: string, reason: string, unrestored: readonly string[] = []): Diagnostic =>
    diagnostic('AOT_INIT_NOT_WRITABLE', { file, line: 0, column: 0 }, reason, unrestored)
  const changed = files.find(({ file, before }) => textOf(join(folder, file)) !== before)
  if (changed !== undefined) return problem(changed.file, 'it has changed meanwhile')
  for (const { file, after } of files) {
    try {
      rewrite(join(folder, file), after)
    } catch (error) {
      if (!isFileError(error)) throw error
      const unrestored = files.flatMap((one) => restore(join(folder, one.file), one.before))
      return problem(file, error.message, unrestored)
    }
  }
  return undefined
}

/** @returns a list with the reason if the file can't be restored, else an empty list */
function restore(file: string, before: string | undefined): string[] {
  try {
    if (textOf(file) === before) return []
    if (before === undefined) rmSync(realpathSync(file))
    else rewrite(file, before)
    return []
  } catch (error) {
    if (!isFileError(error)) throw error
    return [`"${file}" could not be restored: ${error.message}`]
  }
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
