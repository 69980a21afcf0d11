/** Recognises files that commands have written among the sources, so that they don't start a build. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { isDeployment, readArtifact } from '../../compiler/5-artifact/read/reader.ts'
import { packageRootOf } from '../../compiler/util/paths.ts'
import { writeWhole } from '../../compiler/util/atomic-write.ts'
import { isFileError } from '../../compiler/util/source-files.ts'

/** Must be called before a command writes a file, so that a watcher which sees the change finds the note. */
export function noteWritten(file: string, text: string): void {
  try {
    writeWhole(noteOf(file), digestOf(text))
  } catch (error) {
    // Without a note, the change counts as an edit.
    if (!isFileError(error)) throw error
  }
}

/** Returns whether a command has written a file: as noted, or as part of an artifact or deployment below `root`. */
export function isWritten(file: string, root: string): boolean {
  if (isAsNoted(file)) return true
  for (let at = dirname(file); at.startsWith(root + sep); at = dirname(at)) {
    if (readArtifact(at) !== undefined || isDeployment(at)) return true
  }
  return false
}

function isAsNoted(file: string): boolean {
  try {
    return readFileSync(noteOf(file), 'utf8') === digestOf(readFileSync(file))
  } catch (error) {
    if (isFileError(error)) return false
    throw error
  }
}

function noteOf(file: string): string {
  const root = packageRootOf(file) ?? dirname(file)
  return join(root, 'node_modules/.cache/framework/written', digestOf(relative(root, file)))
}
