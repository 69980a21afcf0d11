import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Diagnostic } from '../model.ts'
import { diagnostic } from '../report/errors.ts'
import { isFileError } from '../source-files.ts'
import { PAGE_HEAD } from './document.ts'

/** Writes a page, or leaves the one that was there before. */
export function writePage(file: string, page: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.writing-${process.pid}`
  writeFileSync(temporary, page)
  renameSync(temporary, file)
}

/**
 * The same where a user names the file, who may have mistaken it for the entry: only pages are replaced.
 *
 * @param shown how the file is called in a problem
 */
export function writePageTo(file: string, page: string, shown: string): Diagnostic | undefined {
  const at = { file: shown, line: 0, column: 0 }
  try {
    if (isOfOthers(file)) return diagnostic('AOT_OUTPUT_NOT_OURS', at, shown)
    writePage(file, page)
    return undefined
  } catch (error) {
    if (!isFileError(error)) throw error
    return diagnostic('AOT_OUTPUT_NOT_WRITABLE', at, shown, error.message)
  }
}

function isOfOthers(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined) return false
  return !found.isFile() || !readFileSync(file, 'utf8').startsWith(PAGE_HEAD)
}
