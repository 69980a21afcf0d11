/** Types of schema libraries that the sandbox has described as JSON schemas. */
import type { LibraryPart } from '../model/index.ts'
import type { Hole } from './protocol.ts'

/** Returns what is known of a type besides its schemas. */
export function libraryPartOf({ described }: Hole): LibraryPart | undefined {
  if (described === undefined) return undefined
  const { output: _, ...part } = described
  return part
}

/**
 * Replaces descriptions of types below `response` by those of what is sent.
 *
 * @param value changed in place
 * @param path of the value in the `schema` option of a route
 */
export function describeResponses(
  value: unknown,
  holes: readonly Hole[],
  path: Hole['path'] = [],
): unknown {
  const root = { value }
  for (const { path: inner, described } of holes) {
    if (described === undefined || [...path, ...inner][0] !== 'response') continue
    const keys = ['value', ...inner]
    const owner = keys
      .slice(0, -1)
      .reduce<unknown>((one, key) => (one as Record<string | number, unknown>)[key], root)
    ;(owner as Record<string | number, unknown>)[keys.at(-1) as string] = described.output
  }
  return root.value
}
