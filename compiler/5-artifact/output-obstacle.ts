import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isWithin } from '../util/paths.ts'
import { ENTRY_FILES } from './entry-files.ts'
import { isOwnFile } from './overwrite-conflict.ts'

/** Files that an interrupted build leaves behind without an entry file. */
const LEFT_BEHIND = /^chunks$|\.writing-\d+$/

/** Returns why an artifact can't be written to a folder: it may be new or empty, contain an artifact, or have the name of the default one. */
export function outputObstacle(out: string, root: string): string | undefined {
  if (!existsSync(out)) {
    let nearest = dirname(out)
    while (!existsSync(nearest)) nearest = dirname(nearest)
    return statSync(nearest).isDirectory() ? undefined : `"${nearest}" isn't a folder`
  }
  if (!statSync(out).isDirectory()) return `"${out}" isn't a folder`
  if (isWithin(realpathSync(root), realpathSync(out))) return 'it contains the application'
  if (basename(out) === '.framework') return undefined
  const names = readdirSync(out)
  const hasArtifact = names.some((name) => ENTRY_FILES.has(name) && isOwnFile(join(out, name)))
  // Files with the name of an entry file are reported when one would be replaced.
  const foreign = names.find((name) => !ENTRY_FILES.has(name) && !LEFT_BEHIND.test(name))
  return hasArtifact || foreign === undefined
    ? undefined
    : `it contains "${foreign}", and no artifact`
}
