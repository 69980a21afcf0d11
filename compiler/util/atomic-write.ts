import {
  chmodSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Diagnostic } from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import { makeFolder } from './paths.ts'
import { isFileError } from './source-files.ts'

/** Replaces a file atomically. */
export function writeWhole(file: string, text: string): void {
  makeFolder(dirname(file))
  const temporary = `${file}.writing-${process.pid}`
  // A process that was killed may have left the file, or a link: `wx` fails for both.
  rmSync(temporary, { force: true })
  try {
    writeFileSync(temporary, text, { flag: 'wx' })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Replaces a file of the user atomically. It keeps its mode, and a symbolic link its target, which may be missing. */
export function rewrite(file: string, text: string): void {
  // Throws if links lead to themselves.
  const found = statSync(file, { throwIfNoEntry: false })
  writeWhole(followLinks(file), text)
  if (found !== undefined) chmodSync(file, found.mode)
}

function followLinks(file: string): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? followLinks(resolve(realpathSync(dirname(file)), readlinkSync(file))) : file
}

/**
 * Replaces a file that the user has named, unless it contains something else.
 *
 * @param shown name of the file in messages
 * @param isOwn whether a file with this text may be replaced
 */
export function replaceOwnFile(
  file: string,
  text: string,
  shown: string,
  isOwn: (text: string) => boolean,
): Diagnostic | undefined {
  const at = { file: shown, line: 0, column: 0 }
  try {
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found !== undefined && !(found.isFile() && isOwn(readFileSync(file, 'utf8')))) {
      return diagnostic('AOT_OUTPUT_NOT_OURS', at, shown)
    }
    writeWhole(file, text)
    return undefined
  } catch (error) {
    if (!isFileError(error)) throw error
    return diagnostic('AOT_OUTPUT_NOT_WRITABLE', at, shown, error.message)
  }
}
