/** Finds the entry of an application for commands that are called without one. */
import { join } from 'node:path'
import { artifactFolder, readArtifact } from '../compiler/5-artifact/read/reader.ts'
import { packageJsonIn } from '../compiler/util/package-json.ts'
import { isFolder, nearestFolder } from '../compiler/util/paths.ts'
import type { UsageError } from './command.ts'
import { usageError } from './parse.ts'

/**
 * Returns the entry of the application: the given file, else the one that the artifact was built from, else the one that
 * `framework init` finds. For a folder, the entry in it.
 */
export async function entryFor(
  given: string | undefined,
  out: string | undefined,
): Promise<string> {
  if (given !== undefined && !isFolder(given)) return given
  const folder = artifactFolder(out)
  const built = given === undefined ? readArtifact(folder)?.entry : undefined
  const entry = built ?? (await entryIn(given ?? currentPackage()))
  if (entry !== undefined) return entry
  const root = await workspaceText(given)
  if (root !== undefined) throw usageError(root)
  if (given === undefined) throw noEntry(folder)
  throw usageError(
    `No entry was found in the folder "${given}". Pass the file that makes the application, such as "${join(given, 'app.js')}".`,
  )
}

async function entryIn(folder: string): Promise<string | undefined> {
  const { entryOf } = await import('./init/entry.ts')
  const file = entryOf(folder, packageJsonIn(folder))
  return file && join(folder, file)
}

/** Returns where to call the command instead, for the root of a workspace that has no entry itself. */
export async function workspaceText(
  folder: string = currentPackage(),
): Promise<string | undefined> {
  const [{ applicationsIn }, { readPackageJson }, { messages }] = await Promise.all([
    import('./init/workspace.ts'),
    import('./init/package-json.ts'),
    import('../compiler/report/errors.ts'),
  ])
  const packageJson = readPackageJson(folder)
  const isRoot = 'text' in packageJson && (await entryIn(folder)) === undefined
  const applications = isRoot ? applicationsIn(folder, packageJson) : undefined
  return applications && messages.AOT_INIT_WORKSPACE_ROOT(applications)
}

/**
 * Creates the error for a missing entry.
 *
 * @param folder where an artifact was looked for
 */
function noEntry(folder: string): UsageError {
  const { main } = packageJsonIn(currentPackage())
  const reason =
    typeof main === 'string'
      ? `\`main\` of package.json names "${main}", which isn't a file`
      : 'neither package.json nor a usual file name leads to the entry'
  return usageError(
    `There is no artifact in "${folder}", and ${reason}. Pass the file that makes the application, such as "app.js".`,
  )
}

function currentPackage(): string {
  return nearestFolder(process.cwd(), 'package.json') ?? process.cwd()
}
