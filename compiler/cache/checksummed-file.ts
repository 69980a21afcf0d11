import { readFileSync } from 'node:fs'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { writeWhole } from '../util/atomic-write.ts'
import { isFileError } from '../util/source-files.ts'

/**
 * Returns the value that `writeChecksummed` wrote to `file`. Returns `undefined` if the file is missing, if another version of the compiler
 * wrote it, or if it was changed or damaged since.
 */
export function readChecksummed<T>(file: string, compiler: string): T | undefined {
  const bytes = readIfThere(file)
  if (bytes === undefined) return undefined
  const end = bytes.indexOf('\n')
  const content = bytes.subarray(end + 1)
  const isIntact = end !== -1 && String(bytes.subarray(0, end)) === headOf(content, compiler)
  return isIntact ? (JSON.parse(String(content)) as T) : undefined
}

export function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (isFileError(error)) return undefined
    throw error
  }
}

export function writeChecksummed(file: string, compiler: string, value: object): void {
  const content = JSON.stringify(value)
  writeWhole(file, `${headOf(content, compiler)}\n${content}`)
}

function headOf(content: string | Uint8Array, compiler: string): string {
  return `${compiler} ${digestOf(content)}`
}
