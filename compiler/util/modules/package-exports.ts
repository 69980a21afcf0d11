/** Applies `exports` and `imports` of package.json, following https://nodejs.org/api/esm.html#resolution-algorithm-specification. */

/** A path, targets by condition, or a list of which the first usable target is taken. `null` means that nothing is exported. */
export type Target = string | null | readonly Target[] | { readonly [condition: string]: Target }

export type Subpaths = Readonly<Record<string, Target>>

/** Returns the table of a package whose `exports` may be the target of its main module. */
export function toSubpaths(exports: Target): Subpaths {
  const isTable =
    typeof exports === 'object' && Object.keys(exports ?? {}).some((key) => key.startsWith('.'))
  return isTable ? (exports as Subpaths) : { '.': exports }
}

/** Returns the target of a subpath: of an exact key, else of the pattern with the longest prefix. */
export function matchSubpath(
  table: Subpaths,
  subpath: string,
  conditions: readonly string[],
): string | undefined {
  // Tables may be long, and most subpaths are listed.
  const isListed = Object.hasOwn(table, subpath) && !subpath.includes('*')
  const [best] = isListed
    ? [{ target: table[subpath] as Target, star: '' }]
    : matchPatterns(table, subpath)
  return (best && pickTarget(best.target, best.star, conditions)) ?? undefined
}

/** Returns the targets of the keys that match a text, and what their star matches. Exact keys and longer prefixes are first. */
export function matchPatterns<T>(
  table: Readonly<Record<string, T>>,
  text: string,
): { readonly target: T; readonly star: string }[] {
  const prefix = (key: string): number => (key.includes('*') ? key.indexOf('*') : Infinity)
  return Object.entries(table)
    .flatMap(([key, target]) => {
      const star = matchStar(key, text)
      return star === undefined ? [] : [{ key, target, star }]
    })
    .sort((a, b) => prefix(b.key) - prefix(a.key) || b.key.length - a.key.length)
}

/** Returns the text that a star matches, or '' for an equal text without a star; `undefined` if the text doesn't match. */
function matchStar(pattern: string, text: string): string | undefined {
  const [head = '', tail] = pattern.split('*')
  if (tail === undefined) return pattern === text ? '' : undefined
  const fits = text.startsWith(head) && text.endsWith(tail)
  return fits && text.length >= head.length + tail.length
    ? text.slice(head.length, text.length - tail.length)
    : undefined
}

function pickTarget(
  target: Target,
  star: string,
  conditions: readonly string[],
): string | null | undefined {
  if (typeof target === 'string') return target.replaceAll('*', () => star)
  if (target === null) return null
  const isList = Array.isArray(target)
  const options = isList
    ? (target as readonly Target[])
    : Object.entries(target).flatMap(([condition, inner]: [string, Target]) =>
        condition === 'default' || conditions.includes(condition) ? [inner] : [],
      )
  // If no inner condition holds, the next one is tried. Only lists skip `null`.
  for (const option of options) {
    const found = pickTarget(option, star, conditions)
    if (isList ? found : found !== undefined) return found
  }
  return undefined
}
