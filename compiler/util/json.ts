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

export function refsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    key === '$ref' && typeof member === 'string' ? [member] : refsIn(member),
  )
}

/** Resolves the fragment of a reference: empty, a JSON pointer, or an anchor. For Ajv, `#/` is the whole schema too. */
export function fragmentPath(schema: unknown, fragment: string): Path | undefined {
  if (fragment === '' || fragment === '/') return []
  if (fragment.startsWith('/')) return fragmentSteps(fragment)
  const isAnchor = (key: string | number, value: unknown): boolean =>
    key === '$id'
      ? value === `#${fragment}`
      : (key === '$anchor' || key === '$dynamicAnchor') && value === fragment
  return findMember(schema, isAnchor)?.slice(0, -1)
}

/** Parses a JSON pointer (RFC 6901, section 4). */
export function pathOf(pointer: string): Path {
  return pointer.split('/').slice(1).map(unescape)
}

/** Parses a JSON pointer in a URL (section 6), where it is percent-encoded. */
export function fragmentSteps(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => unescape(decoded(token)))
}

export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Returns text that isn't percent-encoded unchanged. */
function decoded(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    return token
  }
}
