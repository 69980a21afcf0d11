import { readFileSync } from 'node:fs'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { writeWhole } from '../util/atomic-write.ts'
import { isFileError } from '../util/source-files.ts'
import { installedPackages } from '../packages/compiler-versions.ts'
import { compilerDigest } from './compiler-digest.ts'

/**
 * Returns the value that `writeChecksummed` wrote to `file`. Returns `undefined` if the file is missing, if a compiler with another
 * fingerprint wrote it, or if it was changed or damaged since.
 */
export function readChecksummed<T>(file: string): T | undefined {
  const bytes = readIfThere(file)
  if (bytes === undefined) return undefined
  const end = bytes.indexOf('\n')
  const content = bytes.subarray(end + 1)
  const isIntact = end !== -1 && String(bytes.subarray(0, end)) === checksumLine(content)
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

export function writeChecksummed(file: string, value: object): void {
  const content = JSON.stringify(value)
  writeWhole(file, `${checksumLine(content)}\n${content}`)
}

function checksumLine(content: string | Uint8Array): string {
  fingerprint ??= compilerFingerprint()
  return `${fingerprint} ${digestOf(content)}`
}

/** Code that this process has loaded doesn't change. */
let fingerprint: string | undefined

/**
 * Identifies this compiler by the content of its files, the versions of the packages that it uses, and the version of Node. The
 * version of the compiler alone isn't enough, because it stays the same while somebody works on it.
 */
function compilerFingerprint(): string {
  const packages = installedPackages().map(
    ({ name, version, dependent }) => `${dependent ?? ''} ${name} ${version}`,
  )
  return digestOf([process.version, ...packages, compilerDigest()].join('\n'))
}
