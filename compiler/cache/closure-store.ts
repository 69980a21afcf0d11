import { digestOf } from '../../runtime/artifact/digest.ts'
import type { ObservedRead } from '../util/source-files.ts'
import { readAgain } from '../util/source-files.ts'
import { installationReads } from './build-record.ts'
import { readChecksummed, writeChecksummed } from './checksummed-file.ts'
import type { Closure, ClosureEntry } from './closure.ts'

/** Caches which files some modules consist of. */
export interface ClosureStore {
  /** Follows the imports of some modules, unless an earlier build has followed them and no file has changed. */
  of(entries: readonly ClosureEntry[]): Promise<Closure>
  /** The closure of some modules if an earlier build has followed them and no file has changed. */
  upToDate(entries: readonly ClosureEntry[]): Closure | undefined
  /** The reads that the closures of this build depend on. */
  reads(): Iterable<ObservedRead>
  /** Writes the closures that this build has used. */
  save(): void
}

interface CheckedClosure extends Closure {
  readonly reads: readonly ObservedRead[]
}

interface Stored {
  readonly compiler: string
  readonly closures: readonly (readonly [key: string, CheckedClosure])[]
}

/** @param compiler fingerprint */
export function openClosures(file: string, compiler: string, root: string): ClosureStore {
  const before = new Map(load())
  const now = new Map<string, CheckedClosure>()
  return { of, upToDate, reads, save }

  function load(): Stored['closures'] {
    const content = readChecksummed(file)
    if (content === undefined) return []
    const stored = JSON.parse(content) as Stored
    return stored.compiler === compiler ? stored.closures : []
  }

  async function of(entries: readonly ClosureEntry[]): Promise<Closure> {
    const found = upToDate(entries)
    if (found !== undefined) return found
    const followed = await follow(entries)
    now.set(keyOf(entries), followed)
    return followed
  }

  function upToDate(entries: readonly ClosureEntry[]): Closure | undefined {
    const key = keyOf(entries)
    const known = now.get(key)
    if (known !== undefined) return known
    const found = before.get(key)
    if (!found?.reads.every(([kind, path, result]) => readAgain(kind, path) === result))
      return undefined
    now.set(key, found)
    return found
  }

  function* reads(): Iterable<ObservedRead> {
    for (const closure of now.values()) yield* closure.reads
  }

  function save(): void {
    const stored: Stored = { compiler, closures: [...now] }
    writeChecksummed(file, JSON.stringify(stored))
  }

  function keyOf(entries: readonly ClosureEntry[]): string {
    const parts = entries.map(({ specifier, importer, code }) => [specifier, importer, code])
    return digestOf(JSON.stringify([root, parts]))
  }
}

async function follow(entries: readonly ClosureEntry[]): Promise<CheckedClosure> {
  const { closureOf } = await import('./closure.ts')
  const closure = await closureOf(entries)
  const importers = entries.map(({ importer }) => importer)
  const reads = [
    ...closure.files.map((one) => ['text', one] as const),
    ...installationReads([...importers, ...closure.files]),
  ].map(([kind, path]): ObservedRead => [kind, path, readAgain(kind, path)])
  return { ...closure, reads }
}
