/** Checks the keywords of strings and numbers, for `subset.ts`. */
import { usesOf, highest, lowest, matches } from './facts.ts'
import { finding, type Finding } from './findings.ts'
import { membersOf } from './nodes.ts'
import type { Checked } from './subset.ts'

/**
 * Checks a keyword for the smallest or largest length or number of members.
 *
 * @param extreme the smallest or largest one among the values
 * @param shown the bound to report
 */
export function checkCount(
  { other, path }: Checked,
  keyword: string,
  extreme: number,
  shown: unknown,
): readonly Finding[] {
  const bound = membersOf(other)[keyword]
  if (typeof bound !== 'number') return []
  const isRefused = keyword.startsWith('min') ? extreme < bound : extreme > bound
  return isRefused ? [finding(path, keyword, shown, bound)] : []
}

export function checkString(checked: Checked): readonly Finding[] {
  const { one, other, path } = checked
  const { pattern, format } = membersOf(other)
  const texts = one.values as readonly string[] | undefined
  // Count characters as Ajv does.
  const lengths = texts?.map((text) => [...text].length)
  const [shortest, longest] = [highest(one, 'minLength'), lowest(one, 'maxLength')]
  const least = lengths ? Math.min(...lengths) : (shortest ?? 0)
  const most = lengths ? Math.max(...lengths) : (longest ?? Infinity)
  const found = [
    ...checkCount(checked, 'minLength', least, shortest),
    ...checkCount(checked, 'maxLength', most, longest),
  ]
  const hasSame = (keyword: string, expected: unknown): boolean =>
    usesOf(one, keyword).some(({ value }) => value === expected)
  if (
    typeof pattern === 'string' &&
    !hasSame('pattern', pattern) &&
    texts?.every((text) => matches(pattern, text)) !== true
  )
    found.push(finding(path, 'pattern', usesOf(one, 'pattern')[0]?.value, pattern))
  if (format !== undefined && !hasSame('format', format))
    found.push(finding(path, 'format', usesOf(one, 'format')[0]?.value, format))
  return found
}

export function checkNumber({ one, other, path }: Checked): readonly Finding[] {
  const values = one.values as readonly number[] | undefined
  const shown = {
    minimum: highest(one, 'minimum'),
    maximum: lowest(one, 'maximum'),
    exclusiveMinimum: highest(one, 'exclusiveMinimum'),
    exclusiveMaximum: lowest(one, 'exclusiveMaximum'),
    multipleOf: usesOf(one, 'multipleOf')[0]?.value,
  }
  const least = values ? Math.min(...values) : (shown.minimum ?? -Infinity)
  const most = values ? Math.max(...values) : (shown.maximum ?? Infinity)
  const above = shown.exclusiveMinimum ?? -Infinity
  const below = shown.exclusiveMaximum ?? Infinity
  const isImplied: Readonly<Record<keyof typeof shown, (bound: number) => boolean>> = {
    minimum: (bound) => Math.max(least, above) >= bound,
    maximum: (bound) => Math.min(most, below) <= bound,
    exclusiveMinimum: (bound) => least > bound || above >= bound,
    exclusiveMaximum: (bound) => most < bound || below <= bound,
    multipleOf: (bound) =>
      // Divide and compare as Ajv does, with the same rounding errors. It rejects what `String` writes with an exponent.
      values?.every((value) => parseInt(String(value / bound)) === value / bound) ??
      ((one.isInteger && areMultiples(1, bound)) ||
        usesOf(one, 'multipleOf').some(({ value }) => areMultiples(Number(value), bound))),
  }
  return Object.entries(isImplied).flatMap(([keyword, holds]) => {
    const bound = membersOf(other)[keyword]
    if (typeof bound !== 'number' || holds(bound)) return []
    return [finding(path, keyword, shown[keyword as keyof typeof shown], bound)]
  })
}

/** Returns whether Ajv accepts multiples of `step` as multiples of `bound`. It divides with rounding errors, except by integers and powers of two. */
function areMultiples(step: number, bound: number): boolean {
  const isExact = Number.isInteger(bound) || 2 ** Math.round(Math.log2(bound)) === bound
  return step === bound || (isExact && step % bound === 0)
}
