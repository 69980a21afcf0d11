import { deserialize, serialize } from 'node:v8'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { KeptScan } from '../model.ts'
import type { LoadedModule } from '../source-files.ts'
import type { BuildRecord } from './record.ts'
import { readSealedBytes, writeSealed } from './sealed.ts'

/** What a build has scanned, with what else the next one has to know so as not to scan. */
export interface StoredScan {
  readonly kept: KeptScan
  readonly loaded: readonly LoadedModule[]
  /** Files that real code consists of: it may depend on anything in them. */
  readonly real: readonly string[]
}

/**
 * What the build has left that was told `asked`: a graph belongs to all that was read for it, and has absolute paths.
 *
 * @param print of the compiler, and of Node, which alone reads what it has written
 */
export function readScan(
  file: string,
  print: string,
  root: string,
  asked: BuildRecord['asked'],
): StoredScan | undefined {
  const content = readSealedBytes(file)
  if (content === undefined) return undefined
  const key = keyOf(print, root, asked)
  return content.toString('latin1', 0, key.length) === key
    ? (deserialize(content.subarray(key.length)) as StoredScan)
    : undefined
}

export function writeScan(
  file: string,
  print: string,
  root: string,
  asked: BuildRecord['asked'],
  scan: StoredScan,
): void {
  const key = Buffer.from(keyOf(print, root, asked), 'latin1')
  writeSealed(file, Buffer.concat([key, serialize(scan)]))
}

function keyOf(print: string, root: string, asked: BuildRecord['asked']): string {
  return digestOf(JSON.stringify([print, root, asked]))
}
