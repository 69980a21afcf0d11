/** Reads JSON values, most of them schemas. */

export type Path = readonly (string | number)[]
export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (one, key) =>
      typeof one === 'object' && one !== null && Object.hasOwn(one, key)
        ? (one as Record<string | number, unknown>)[key]
        : undefined,
    value,
  )
}

/** Returns the path of the first member that `matches`, depth first. */
export function findMember(
  value: unknown,
  matches: (key: string | number, value: unknown) => boolean,
): Path | undefined {
  if (value === null || typeof value !== 'object') return undefined
  for (const [name, member] of Object.entries(value)) {
    const key = Array.isArray(value) ? Number(name) : name
    if (matches(key, member)) return [key]
    const path = findMember(member, matches)
    if (path !== undefined) return [key, ...path]
  }
  return undefined
}

/** Returns the references in a schema. */
export function refsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    key === '$ref' && typeof member === 'string' ? [member] : refsIn(member),
  )
}
