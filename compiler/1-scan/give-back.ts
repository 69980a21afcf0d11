import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes in use: less is not worth the time that it takes. */
const MUCH = 150 * 1024 * 1024

/**
 * Has memory given back, where that is much: V8 by itself lets what the scan leaves lie until the build is done, and keeps
 * what it has put aside for young objects as well.
 *
 * @param letGo called before, then
 */
export function giveBack(letGo: () => void): void {
  if (getHeapStatistics().used_heap_size < MUCH) return
  letGo()
  collect()
}

/** A collection that has begun already takes all for living that lived then: a second one is needed. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (how?: object) => void
  setFlagsFromString('--no-expose-gc')
  // Node 20 cannot be told how.
  if (process.versions.node.startsWith('20.')) {
    gc()
    gc()
  } else gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
