import { join } from 'node:path'
import { artifactFolder, readArtifact } from '../compiler/artifact/reader.ts'
import { packageJsonIn } from '../compiler/util/package-json.ts'
import { isFile, packageRootOf } from '../compiler/util/paths.ts'
import type { UsageError } from './command.ts'
import { refusal } from './parse.ts'

/**
 * Returns the entry of the application: the given file, else the one that the artifact was built from, else
 * `main` of package.json.
 */
export function entryFor(given: string | undefined, out: string | undefined): string {
  const folder = artifactFolder(out)
  const entry = given ?? readArtifact(folder)?.entry ?? mainOfPackage()
  if (entry !== undefined) return entry
  throw noEntry(folder)
}

/** Returns the file that `main` of package.json names, if it exists. */
export function mainOfPackage(): string | undefined {
  const { root, main } = packageHere()
  const file = typeof main === 'string' ? join(root, main) : undefined
  return file !== undefined && isFile(file) ? file : undefined
}

/**
 * The error if no entry can be found.
 *
 * @param folder where an artifact was looked for
 */
export function noEntry(folder: string): UsageError {
  const { main } = packageHere()
  const tells =
    typeof main === 'string'
      ? `\`main\` of package.json names "${main}", which is no file`
      : 'package.json names none as `main`'
  return refusal(
    `There is no artifact in "${folder}", and ${tells}. Pass the file that makes the application, such as "app.js".`,
  )
}

function packageHere(): { readonly root: string; readonly main?: unknown } {
  const root = packageRootOf(join(process.cwd(), 'x')) ?? process.cwd()
  return { main: packageJsonIn(root).main, root }
}
