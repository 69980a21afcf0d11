/** Finds out what starts an application: its entry, a file beside it, fastify-cli, or nothing yet. */
import { join } from 'node:path'
import type { FileChange } from './changes.ts'
import type { ProjectInfo } from './project-info.ts'
import { programOf, starterIn } from './entry.ts'
import type { PackageJson } from './package-json.ts'
import { runs } from './scripts.ts'
import { startFileFor } from './start-file.ts'

export interface Starting {
  /** With the starting file as entry, if that is another file. */
  readonly found: ProjectInfo
  /** The starting file, if it is to be created. */
  readonly written: FileChange | undefined
  /** True if fastify-cli is installed and starts the application. */
  readonly isByCli: boolean
  /** Description of what is left to do by hand. */
  readonly note: string | undefined
}

/** Looks for the file that starts an application whose entry doesn't listen. */
export async function findStarting(
  folder: string,
  packageJson: PackageJson,
  found: ProjectInfo,
): Promise<Starting> {
  const { entry, program, listens } = found
  const unchanged: Starting = { found, written: undefined, isByCli: false, note: undefined }
  const { start: script } = packageJson.scripts
  const isRun =
    script !== undefined &&
    runs(
      script,
      [entry, program].filter((one) => one !== undefined),
    )
  if (entry === undefined || listens || (script !== undefined && !isRun)) return unchanged
  const { findStart } = await import('./find-start.ts')
  const start = await findStart(join(folder, entry), folder)
  // Its command may be in another script than `start`.
  if (start?.kind === 'plugin' && 'fastify-cli' in packageJson.allDependencies)
    return { ...unchanged, isByCli: true }
  if (isRun) {
    if (start === undefined || start.kind === 'itself') return unchanged
    const note = `The script \`start\` runs ${program}, which exports the application and does not listen: it would end at once. Let it run a file that makes the application listen.`
    return { ...unchanged, note }
  }
  const starter = starterIn(folder, entry)
  if (starter !== undefined) return { ...unchanged, found: startedBy(folder, found, starter) }
  const written = startFileFor(folder, entry, start, found)
  if (written === undefined) return unchanged
  return { ...unchanged, found: startedBy(folder, found, written.file), written }
}

function startedBy(folder: string, found: ProjectInfo, entry: string): ProjectInfo {
  const { entry: application } = found
  return { ...found, entry, application, program: programOf(folder, entry), listens: true }
}
