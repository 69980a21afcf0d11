/** The options of @fastify/swagger, without what only the running application knows. */
import { isDeepStrictEqual } from 'node:util'
import { isMembers, type Members, type Path } from '../util/json.ts'

interface KnownOptions {
  readonly options: Members
  /** Paths of what was left out; `all` for the options themselves. */
  readonly unknown: readonly string[]
}

/**
 * Leaves out members that aren't known or depend on a condition, one by one, but items of lists as a whole: the plugin may need what
 * an item lacks.
 *
 * @param variants the options under each condition
 * @param holes paths of what isn't known
 */
export function knownOptions(variants: readonly unknown[], holes: readonly Path[]): KnownOptions {
  const [options = {}, ...others] = variants.map(toMembers)
  const paths = [...holes, ...others.flatMap((other) => differences(options, other))]
  return {
    options: without(options, paths) as Members,
    unknown: [...new Set(paths.map((path) => path.join('.') || 'all'))],
  }
}

function toMembers(value: unknown): Members {
  const isData = typeof value === 'object' && value !== null
  return isData ? (JSON.parse(JSON.stringify(value)) as Members) : {}
}

/** Returns the paths of values that differ. */
function differences(one: unknown, other: unknown, path: Path = []): readonly Path[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((item, i) => differences(item, other[i], [...path, i]))
  if (!isMembers(one) || !isMembers(other)) return isDeepStrictEqual(one, other) ? [] : [path]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.flatMap((name) => differences(one[name], other[name], [...path, name]))
}

function without(value: unknown, paths: readonly Path[]): unknown {
  const below = (key: string | number): readonly Path[] =>
    paths.flatMap(([first, ...rest]) => (String(first) === String(key) ? [rest] : []))
  if (Array.isArray(value)) return value.filter((_, i) => below(i).length === 0)
  if (!isMembers(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => below(name).every((path) => path.length > 0))
      .map(([name, member]) => [name, without(member, below(name))]),
  )
}
