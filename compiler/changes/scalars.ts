import { given, highest, lowest, matches } from './facts.ts'
import type { Finding } from './findings.ts'
import { finding } from './findings.ts'
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
    given(one, keyword).some(({ value }) => value === expected)
  if (
    typeof pattern === 'string' &&
    !hasSame('pattern', pattern) &&
    texts?.every((text) => matches(pattern, text)) !== true
  )
    found.push(finding(path, 'pattern', given(one, 'pattern')[0]?.value, pattern))
  if (format !== undefined && !hasSame('format', format))
    found.push(finding(path, 'format', given(one, 'format')[0]?.value, format))
  return found
}

export function checkNumber({ one, other, path }: Checked): readonly Finding[] {
  const values = one.values as readonly number[] | undefined
  const lower = highest(one, 'minimum') ?? -Infinity
  const above = highest(one, 'exclusiveMinimum') ?? -Infinity
  const upper = lowest(one, 'maximum') ?? Infinity
  const below = lowest(one, 'exclusiveMaximum') ?? Infinity
  const steps = given(one, 'multipleOf').map(({ value }) => Number(value))
  /** @param isImplied whether the keywords of `one` imply the bound, if its values aren't listed */
  const check = (
    keyword: string,
    was: number | undefined,
    holds: (value: number, bound: number) => boolean,
    isImplied: (bound: number) => boolean,
  ): readonly Finding[] => {
    const bound = membersOf(other)[keyword]
    if (typeof bound !== 'number') return []
    if (values?.every((value) => holds(value, bound)) ?? isImplied(bound)) return []
    return [finding(path, keyword, Number.isFinite(was) ? was : undefined, bound)]
  }
  return [
    ...check(
      'minimum',
      lower,
      (value, bound) => value >= bound,
      (bound) => Math.max(lower, above) >= bound,
    ),
    ...check(
      'maximum',
      upper,
      (value, bound) => value <= bound,
      (bound) => Math.min(upper, below) <= bound,
    ),
    ...check(
      'exclusiveMinimum',
      above,
      (value, bound) => value > bound,
      (bound) => lower > bound || above >= bound,
    ),
    ...check(
      'exclusiveMaximum',
      below,
      (value, bound) => value < bound,
      (bound) => upper < bound || below <= bound,
    ),
    ...check(
      'multipleOf',
      steps[0],
      // Divide as Ajv does, with the same rounding errors.
      (value, bound) => Number.isInteger(value / bound),
      (bound) =>
        (one.isInteger && Number.isInteger(1 / bound)) ||
        steps.some((step) => Number.isInteger(step / bound)),
    ),
  ]
}
