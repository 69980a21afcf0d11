import type { Params } from './types.ts'

/**
 * Creates the object of a route's parameters.
 *
 * A parameter called `__proto__` is left out, as with find-my-way: assigning a string to it does nothing.
 */
export function createParams(
  names: readonly string[],
  values: readonly (string | undefined)[],
): Params {
  const params: Params = {}
  for (let i = 0; i < names.length; i++) {
    params[names[i]!] = values[i]
  }
  return params
}
