import type { LoadedModule } from '../util/source-files.ts'
import { readChecksummed, writeChecksummed } from './checksummed-file.ts'
import type { ClosureStore } from './closure-store.ts'

/**
 * Caches results of sandboxed evaluations, which are valid as long as the modules that they ran haven't changed. Without it, the
 * build after a small change takes half again as long where schemas are computed.
 */
export interface EvaluationStore {
  isEmpty(): boolean
  /** @param request key of an evaluation request */
  get(request: string): Uint8Array | undefined
  put(request: string, result: Uint8Array): void
  /**
   * Writes what this build has read and put.
   *
   * @param loaded the modules that evaluations have run
   */
  save(loaded: readonly LoadedModule[]): void
}

interface Stored {
  readonly compiler: string
  readonly loaded: readonly LoadedModule[]
  readonly results: Readonly<Record<string, string>>
}

/** @param compiler fingerprint */
export function openEvaluations(
  file: string,
  compiler: string,
  closures: ClosureStore,
): EvaluationStore {
  let before: Stored['results'] | undefined
  const now = new Map<string, string>()
  return {
    isEmpty: () => Object.keys(cached()).length === 0,
    get(request) {
      const result = cached()[request]
      if (result === undefined) return undefined
      now.set(request, result)
      return Buffer.from(result, 'base64')
    },
    put: (request, result) => void now.set(request, Buffer.from(result).toString('base64')),
    save(loaded) {
      const stored: Stored = { compiler, loaded, results: Object.fromEntries(now) }
      writeChecksummed(file, JSON.stringify(stored))
    },
  }

  /** Reads the file on first use, because most builds evaluate nothing. */
  function cached(): Stored['results'] {
    return (before ??= load())
  }

  function load(): Stored['results'] {
    const content = readChecksummed(file)
    if (content === undefined) return {}
    const stored = JSON.parse(content) as Stored
    if (stored.compiler !== compiler) return {}
    return closures.upToDate(stored.loaded)?.isComplete === true ? stored.results : {}
  }
}
