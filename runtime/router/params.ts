import type { Params } from './types.ts'

/** Objects without prototype. V8 keeps those of `Object.create(null)` in a slower form. */
const Bare = function () {} as unknown as new () => Params
Bare.prototype = Object.freeze(Object.create(null))

/**
 * Creates the object of a route's parameters.
 *
 * A parameter called `__proto__` is left out, as with find-my-way: assigning a string to it does nothing.
 */
export function createParams(
  names: readonly string[],
  values: readonly (string | undefined)[],
  isBare: boolean,
): Params {
  const params: Params = isBare ? new Bare() : {}
  for (let i = 0; i < names.length; i++) {
    params[names[i]!] = values[i]
  }
  return params
}
