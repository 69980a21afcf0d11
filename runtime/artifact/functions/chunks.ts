/** Functions that stand in files: a file is loaded when one of its functions is needed first. */
import type { ArtifactFile, ArtifactFolder } from '../files/index.ts'
import { DamagedArtifactError } from '../files/index.ts'
import type { Maker } from './made.ts'
import { requireFrom } from '../require-from.ts'

/** What a chunk exports: given what its functions call, their makers. */
export type ChunkModule = (internals: Readonly<Record<string, unknown>>) => readonly Maker[]

/**
 * Finds functions by their positions among those of all chunks.
 *
 * @param counts gives how many functions each chunk has
 * @param load is called once for each chunk
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
 * Checks a chunk and loads it.
 *
 * @param internals what its functions may call; handed over, because a chunk that imports nothing needs nothing resolved when the
 * first request waits for it
 * @throws DamagedArtifactError
 */
export function loadChunk(
  url: string,
  folder: ArtifactFolder,
  chunk: ArtifactFile,
  internals: Readonly<Record<string, unknown>>,
): readonly Maker[] {
  folder.check(chunk)
  return requireChunk(url, folder, chunk)(internals)
}

function requireChunk(url: string, folder: ArtifactFolder, { file }: ArtifactFile): ChunkModule {
  try {
    return requireFrom(url, `./${file}`) as ChunkModule
  } catch (error) {
    throw new DamagedArtifactError(folder.pathOf(file), `cannot be loaded: ${String(error)}`)
  }
}
