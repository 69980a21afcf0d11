/** Finds the functions of an artifact by the digests and positions in its catalogue. */
import type { Artifact, CompiledFunction, Digest, TakeOption } from '../index.ts'
import type { firstChange } from '../replay/first-change.ts'
import type { ReplayChecks } from '../replay/index.ts'
import { createRouteFinder } from '../route-digest.ts'

/** The contents of an artifact. Only what every process needs first. */
export interface Catalogue {
  /** All digests, joined by spaces, in the order in which chunks export their functions. */
  readonly digests: string
  /** Number of functions per chunk. */
  readonly counts: readonly number[]
  /**
   * Routes with all of their functions: `;`, the result of `routeDigest`, `:`, and the positions of the functions in `digests`, separated
   * by spaces; `;` at the end. A text rather than a list, because engines parse it faster.
   */
  readonly routes: string
  /** The recorded behaviour of the application's functions during the build, if there are any; by options. */
  readonly replayChecks?: readonly ReplayChecks[]
}

/** The length of a digest, with the space after it. */
const DIGEST_STEP = 23

/**
 * Makes a function, so that the engine compiles generated code only when needed. The parameter is for
 * functions that call the application's own functions.
 */
export type Maker = (take: TakeOption) => CompiledFunction

type Functions = Pick<Artifact, 'has' | 'digestAt' | 'findRoute' | 'load' | 'changeOf'>

/**
 * Creates the members of an artifact that find and load functions.
 *
 * @param read returns the catalogue
 * @param makerAt loads the maker of the function at a position
 * @param findChange not needed by catalogues without replay checks
 */
export function functionsOf(
  read: () => Omit<Catalogue, 'counts'>,
  makerAt: (position: number) => Maker,
  findChange?: typeof firstChange,
): Functions {
  /** Functions that all instances share. */
  const common = new Map<Digest, CompiledFunction>()
  /** Functions that call the application's own functions: they are made once for each `take`. */
  const perInstance = new WeakMap<TakeOption, Map<Digest, CompiledFunction>>()
  let positions: ReadonlyMap<Digest, number> | undefined
  return {
    has: (digest) => positionOf(digest) !== undefined,
    digestAt,
    findRoute: createRouteFinder(() => read().routes, digestAt),
    load,
    changeOf: (options, take) => findChange?.(read().replayChecks ?? [], options, take),
  }

  function digestAt(position: number): Digest {
    return read().digests.slice(position * DIGEST_STEP, (position + 1) * DIGEST_STEP - 1)
  }

  function positionOf(digest: Digest): number | undefined {
    positions ??= new Map(
      read()
        .digests.split(' ')
        .map((one, i) => [one, i]),
    )
    return positions.get(digest)
  }

  function load(digest: Digest, take: TakeOption): CompiledFunction {
    const loaded = common.get(digest) ?? perInstance.get(take)?.get(digest)
    if (loaded !== undefined) return loaded
    const position = positionOf(digest)
    if (position === undefined) throw new RangeError(`No function with the digest ${digest}`)
    const make = makerAt(position)
    const made = make(take)
    if (make.length === 0) {
      common.set(digest, made)
    } else {
      const functions = perInstance.get(take) ?? new Map<Digest, CompiledFunction>()
      perInstance.set(take, functions.set(digest, made))
    }
    return made
  }
}
