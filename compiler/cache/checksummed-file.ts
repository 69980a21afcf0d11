import { readFileSync } from 'node:fs'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { writeWhole } from '../util/atomic-write.ts'
import { isFileError } from '../util/source-files.ts'

/**
 * Returns the content that `writeChecksummed` wrote to `file`. Returns `undefined` if the file is missing, if another version of the compiler
 * wrote it, or if it was changed or damaged since.
 */
export function readChecksummed(file: string, compiler: string): string | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if (isFileError(error)) return undefined
    throw error
  }
  const end = bytes.indexOf('\n')
  const content = bytes.subarray(end + 1)
  const isIntact = end !== -1 && String(bytes.subarray(0, end)) === headOf(content, compiler)
  return isIntact ? String(content) : undefined
}

export function writeChecksummed(file: string, compiler: string, content: string): void {
  writeWhole(file, `${headOf(content, compiler)}\n${content}`)
}

function headOf(content: string | Uint8Array, compiler: string): string {
  return `${compiler} ${digestOf(content)}`
}
