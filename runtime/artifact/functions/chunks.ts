/** Functions in files: a file is loaded when one of its functions is first needed. */
import type { ArtifactFile, ArtifactFolder } from '../files.ts'
import { DamagedArtifactError } from '../files.ts'
import type { Maker } from './index.ts'
import { requireFrom } from '../require-from.ts'

/** Export of a chunk: gets what its functions call, and returns their makers. */
export type ChunkModule = (internals: Readonly<Record<string, unknown>>) => readonly Maker[]

/**
 * Finds functions by their position among all chunks.
 *
 * @param counts number of functions per chunk
 * @param load called once per chunk
 */
export function createMakers(
  counts: () => readonly number[],
  load: (nth: number) => readonly Maker[],
): (position: number) => Maker {
  const loaded = new Map<number, readonly Maker[]>()
  return (position) => {
    let place = position
    let nth = 0
    for (const count of counts()) {
      if (place < count) {
        const makers = loaded.get(nth) ?? load(nth)
        loaded.set(nth, makers)
        return makers[place] as Maker
      }
      place -= count
      nth++
    }
    throw new RangeError(`No function has the position ${position}`)
  }
}

/**
 * Verifies and loads a chunk.
 *
 * @param internals what its functions may call; passed in, because a chunk without imports needs no
 * resolution while a request waits
 * @throws DamagedArtifactError
 */
export function loadChunk(
  url: string,
  folder: ArtifactFolder,
  chunk: ArtifactFile,
  internals: Readonly<Record<string, unknown>>,
): readonly Maker[] {
  folder.check([chunk])
  try {
    return (requireFrom(url, `./${chunk.file}`) as ChunkModule)(internals)
  } catch (error) {
    throw new DamagedArtifactError(folder.pathOf(chunk.file), `cannot be loaded: ${String(error)}`)
  }
}
