const STEP = /\.([A-Za-z_$][\w$]*)|\[("(?:[^"\\]|\\.)*"|\d+)\]/g

/** What may follow the name of a value in generated code: properties by name or by index. */
export const PATH: RegExp = /(?:\.[A-Za-z_$][\w$]*|\["(?:[^"\\]|\\.)*"\]|\[\d+\])*/y

/**
 * Goes into a value as far as the path leads over own properties, so that the code needs only that part: of a
 * schema it mostly reads an `enum` or a `const`.
 *
 * @returns the part and what is left of the path
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
