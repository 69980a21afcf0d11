import { deserialize, serialize } from 'node:v8'
import { readAgain, type ObservedRead, type ReadKind } from '../util/source-files.ts'
import { installationReads } from './build-record.ts'
import { readChecksummed, writeChecksummed } from './checksummed-file.ts'

/** Caches results of sandboxed boots, which are valid as long as the files haven't changed that they have read. */
export interface BootStore {
  /** @param key the settings of the boot */
  get(key: string): unknown
  /** @param paths absolute paths of the application's files and folders that the boot has read */
  put(key: string, result: unknown, paths: readonly string[]): void
  /** The reads that the results of this build depend on. */
  reads(): Iterable<ObservedRead>
  /** Writes the results that this build has used. */
  save(): void
}

interface Stored {
  readonly reads: readonly ObservedRead[]
  readonly result: string
}

export function openBoots(file: string): BootStore {
  const used: Record<string, Stored> = {}
  let previous: Readonly<Record<string, Stored>> | undefined
  return {
    get(key) {
      previous ??= readChecksummed<Record<string, Stored>>(file) ?? {}
      const stored = previous[key]
      if (stored === undefined || !stored.reads.every(isSame)) return undefined
      used[key] = stored
      return deserialize(Buffer.from(stored.result, 'base64')) as unknown
    },
    put(key, result, paths) {
      const reads = [...paths.flatMap(readsOf), ...installationReads(paths)].map(
        ([kind, path]): ObservedRead => [kind, path, readAgain(kind, path)],
      )
      used[key] = { reads, result: serialize(result).toString('base64') }
    },
    reads: () => Object.values(used).flatMap(({ reads }) => reads),
    save: () => writeChecksummed(file, used),
  }
}

function isSame([kind, path, result]: ObservedRead): boolean {
  return readAgain(kind, path) === result
}

/** Reads that show every change of a file or folder that code may notice. */
function readsOf(path: string): (readonly [kind: ReadKind, path: string])[] {
  const kind = readAgain('kind', path)
  if (kind === 'file') return [['text', path]]
  return kind === 'folder' ? [['list', path]] : [['kind', path]]
}
