import type { CompiledFunction, Digest, TakeOption } from '../index.ts'

/**
 * Makes a function, so that the engine compiles generated code only when needed. The parameter is for
 * functions that call the application's own functions.
 */
export type Maker = (take: TakeOption) => CompiledFunction

/** Functions that were already made. */
export interface Made {
  get(digest: Digest, take: TakeOption, makerOf: (digest: Digest) => Maker): CompiledFunction
}

/**
 * Creates a cache: each function is made once, or once per instance if it calls the application's own
 * functions.
 */
export function createMade(): Made {
  const common = new Map<Digest, CompiledFunction>()
  const own = new WeakMap<TakeOption, Map<Digest, CompiledFunction>>()
  return { get }

  function get(
    digest: Digest,
    take: TakeOption,
    makerOf: (digest: Digest) => Maker,
  ): CompiledFunction {
    let made = common.get(digest) ?? own.get(take)?.get(digest)
    if (made === undefined) {
      const make = makerOf(digest)
      made = make(take)
      if (make.length === 0) {
        common.set(digest, made)
      } else {
        const functions = own.get(take) ?? new Map<Digest, CompiledFunction>()
        own.set(take, functions.set(digest, made))
      }
    }
    return made
  }
}
