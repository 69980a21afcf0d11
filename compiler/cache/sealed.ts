import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { isFileError } from '../util/source-files.ts'

/**
 * The content that `writeSealed` wrote to `file`; `undefined` when there is none, or when it is not what was
 * written: truncated, edited, or broken by the disk.
 */
export function readSealed(file: string): string | undefined {
  const content = readSealedBytes(file)
  return content && String(content)
}

/** The same, as bytes. */
export function readSealedBytes(file: string): Buffer | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if (isFileError(error)) return undefined
    throw error
  }
  const end = bytes.indexOf('\n')
  const content = bytes.subarray(end + 1)
  return end !== -1 && String(bytes.subarray(0, end)) === digestOf(content) ? content : undefined
}

/** In one step: whoever reads at the same time sees all of it, or what was there before. */
export function writeSealed(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${digestOf(content)}\n`)
  appendFileSync(temporary, content)
  renameSync(temporary, file)
}
