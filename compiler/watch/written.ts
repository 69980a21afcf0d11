/** What commands write where people keep their sources: it changes, but nobody has edited it. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { isDeployment, readBuilt } from '../artifact/reader.ts'
import { packageRootOf } from '../util/paths.ts'
import { writeWhole } from '../util/atomic-write.ts'
import { isFileError } from '../util/source-files.ts'

/** Called before a command writes a file, so that whoever sees the change finds the note. */
export function noteWritten(file: string, text: string): void {
  try {
    writeWhole(noteOf(file), digestOf(text))
  } catch (error) {
    // Without a note it counts as an edit.
    if (!isFileError(error)) throw error
  }
}

/** Whether a file that has changed is the work of a command: alone, or in a folder of an artifact or a deployment below `root`. */
export function isWritten(file: string, root: string): boolean {
  if (isAsNoted(file)) return true
  for (let at = dirname(file); at.startsWith(root + sep); at = dirname(at)) {
    if (readBuilt(at) !== undefined || isDeployment(at)) return true
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
