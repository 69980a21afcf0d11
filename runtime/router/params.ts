import type { Params } from './types.ts'

/**
 * The object that a handler gets: names in the order of the path, values by position.
 *
 * Plain assignment is safe for a parameter called `__proto__`: a string there is ignored, so the
 * parameter is missing, as it is with find-my-way.
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
