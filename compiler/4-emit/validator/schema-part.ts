const STEP = /\.([A-Za-z_$][\w$]*)|\[("(?:[^"\\]|\\.)*"|\d+)\]/g

/** Property accesses after the name of a value in generated code. */
export const PATH: RegExp = /(?:\.[A-Za-z_$][\w$]*|\["(?:[^"\\]|\\.)*"\]|\[\d+\])*/y

/**
 * Follows a path into a value over own properties, so that the code contains only the part that it uses: mostly an `enum` or a `const`.
 *
 * @returns the part and the rest of the path
 */
export function partOf(value: unknown, path: string): { part: unknown; rest: string } {
  let part = value
  let end = 0
  for (const step of path.matchAll(STEP)) {
    const key = step[1] ?? (JSON.parse(step[2] as string) as string | number)
    if (part === null || typeof part !== 'object' || !Object.hasOwn(part, key)) break
    part = (part as Record<string | number, unknown>)[key]
    end = step.index + step[0].length
  }
  return { part, rest: path.slice(end) }
}
