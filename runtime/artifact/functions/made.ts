import type { CompiledFunction, Digest, TakeOption } from '../index.ts'

/**
 * Makes a function: generated code is compiled by the engine when it is first asked for. One that calls functions of the
 * application has the parameter.
 */
export type Maker = (take: TakeOption) => CompiledFunction

/** Functions that were made. */
export interface Made {
  get(digest: Digest, take: TakeOption, makerOf: (digest: Digest) => Maker): CompiledFunction
}

/** Each function is made once; where it calls functions of the application, once for each instance that has others. */
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
