/** Finds the functions of an artifact by the digests and positions in its catalogue. */
import type { Catalogue } from '../catalogue.ts'
import type { Artifact, Digest } from '../index.ts'
import { createRouteFinder } from '../route-digest.ts'
import { createMade, type Maker } from './made.ts'

/** Digests have a fixed length and are separated by a space. */
const STEP = 23

type Functions = Pick<
  Artifact,
  'has' | 'ofPlain' | 'digestAt' | 'findRoute' | 'load' | 'replayChecks'
>

/**
 * @param read returns the catalogue
 * @param makerAt loads the maker of the function at a position
 */
export function functionsOf(
  read: () => Omit<Catalogue, 'counts'>,
  makerAt: (position: number) => Maker,
): Functions {
  const made = createMade()
  /** Positions by digest. */
  let positions: ReadonlyMap<Digest, number> | undefined
  return {
    has,
    ofPlain: (digest) => (has(digest) ? digest : read().plain[digest]),
    digestAt,
    findRoute: createRouteFinder(() => read().routes, digestAt),
    load: (digest, take) => made.get(digest, take, makerOf),
    replayChecks: () => read().replayChecks ?? [],
  }

  function digestAt(position: number): Digest {
    return read().digests.slice(position * STEP, (position + 1) * STEP - 1)
  }

  function positionOf(digest: Digest): number | undefined {
    positions ??= new Map(
      read()
        .digests.split(' ')
        .map((one, i) => [one, i]),
    )
    return positions.get(digest)
  }

  function has(digest: Digest): boolean {
    return positionOf(digest) !== undefined
  }

  function makerOf(digest: Digest): Maker {
    const position = positionOf(digest)
    if (position === undefined) throw new RangeError(`No function with the digest ${digest}`)
    return makerAt(position)
  }
}
