/** Whether a snapshot is the one that was deployed: Node starts what was cut short as well. */
import { buildOf } from '../../artifact/files/build-mark.ts'

/** `snapshot.json`, beside it. */
export interface SnapshotManifest {
  /** Of the build that it was taken of. */
  readonly id: string
  readonly size: number
  readonly crc32: number
  /** The sizes of files that are loaded when they are needed; what stands in them is looked at then. */
  readonly files: Readonly<Record<string, number>>
}

/** @throws when the file cannot be read */
export function checksumOf(file: string): Pick<SnapshotManifest, 'size' | 'crc32'> {
  const { openSync, readSync, closeSync } = process.getBuiltinModule('node:fs')
  const { crc32 } = process.getBuiltinModule('node:zlib')
  const fd = openSync(file, 'r')
  try {
    const part = Buffer.allocUnsafe(1 << 18)
    let size = 0
    let sum = 0
    for (;;) {
      const length = readSync(fd, part, 0, part.length, null)
      if (length === 0) return { size, crc32: sum }
      size += length
      sum = crc32(part.subarray(0, length), sum)
    }
  } finally {
    closeSync(fd)
  }
}

/**
 * What is wrong with the snapshot in a folder.
 *
 * To join paths properly, some dozens of letters each, is work enough for V8 to optimize what does it, which takes a ms.
 *
 * @param id of the build that it was taken of
 */
export function damageOf(folder: string, id: string): string | undefined {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs')
  try {
    const text = readFileSync(`${folder}/snapshot.json`, 'utf8')
    const expected = JSON.parse(text) as SnapshotManifest
    if (expected.id !== id) return 'it belongs to another deployment'
    if (buildOf(`${folder}/index.js`) !== id) return 'the bundle belongs to another deployment'
    for (const [name, size] of Object.entries(expected.files)) {
      if (statSync(`${folder}/${name}`).size !== size) return `"${name}" is damaged`
    }
    const { size, crc32 } = checksumOf(`${folder}/snapshot.blob`)
    return size === expected.size && crc32 === expected.crc32 ? undefined : 'it is damaged'
  } catch (error) {
    return (error as Error).message
  }
}
