/** Describes how a schema of the running application differs from the one that the build read. */
import { annotations } from '../annotations.ts'

interface Difference {
  readonly path: readonly string[]
  readonly now: unknown
  readonly built: unknown
}

/**
 * Returns a text such as "`properties.x.const` is 1; the build read 2"; undefined if both have the same JSON.
 *
 * @param owner follows the path: ' of the shared schema "price"'
 */
export function describeDifference(now: unknown, built: unknown, owner = ''): string | undefined {
  const all = [...differences(plain(now), plain(built), [])]
  // Most functions don't depend on annotations.
  const found = all.find(({ path }) => !annotations.has(path.at(-1) ?? '')) ?? all[0]
  if (found === undefined) return undefined
  const place = found.path.length === 0 ? 'the schema' : `\`${found.path.join('.')}\``
  const was = found.built === undefined ? 'none' : shown(found.built)
  return `${place}${owner} is ${found.now === undefined ? 'missing' : shown(found.now)}; the build read ${was}`
}

function plain(schema: unknown): unknown {
  return schema === undefined ? undefined : JSON.parse(JSON.stringify(schema) ?? 'null')
}

function* differences(
  now: unknown,
  built: unknown,
  path: Difference['path'],
): Iterable<Difference> {
  if (JSON.stringify(now) === JSON.stringify(built)) return
  if (!isNested(now) || !isNested(built) || Array.isArray(now) !== Array.isArray(built))
    return yield { path, now, built }
  const keys = Object.keys({ ...built, ...now })
  const found = keys.flatMap((key) => [...differences(now[key], built[key], [...path, key])])
  if (found.length > 0) yield* found
  // Serializers write the members in this order.
  else yield { path, now: Object.keys(now), built: Object.keys(built) }
}

/** Returns whether a value has members of its own. Lists such as `enum` are shown as a whole. */
function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) || value.every((item) => typeof item === 'object')
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
