import { given, highest, lowest, matches } from './facts.ts'
import type { Finding } from './findings.ts'
import { finding } from './findings.ts'
import { membersOf } from './nodes.ts'
import type { Checked } from './subset.ts'

export function checkString({ one, other, path }: Checked): readonly Finding[] {
  const { minLength, maxLength, pattern, format } = membersOf(other)
  const found: Finding[] = []
  const texts = one.values as readonly string[] | undefined
  // Count characters as Ajv does.
  const lengths = texts?.map((text) => [...text].length)
  const least = lengths ? Math.min(...lengths) : (highest(one, 'minLength') ?? 0)
  if (typeof minLength === 'number' && least < minLength)
    found.push(finding(path, 'minLength', highest(one, 'minLength'), minLength))
  const most = lengths ? Math.max(...lengths) : (lowest(one, 'maxLength') ?? Infinity)
  if (typeof maxLength === 'number' && most > maxLength)
    found.push(finding(path, 'maxLength', lowest(one, 'maxLength'), maxLength))
  if (typeof pattern === 'string') {
    const isSame = given(one, 'pattern').some(({ value }) => value === pattern)
    if (!isSame && texts?.every((text) => matches(pattern, text)) !== true)
      found.push(finding(path, 'pattern', given(one, 'pattern')[0]?.value, pattern))
  }
  if (format !== undefined && !given(one, 'format').some(({ value }) => value === format))
    found.push(finding(path, 'format', given(one, 'format')[0]?.value, format))
  return found
}

export function checkNumber({ one, other, path }: Checked): readonly Finding[] {
  const members = membersOf(other)
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = members
  const found: Finding[] = []
  const values = one.values as readonly number[] | undefined
  const miss = (keyword: string, was: unknown): void =>
    void found.push(finding(path, keyword, was, members[keyword]))
  const lower = highest(one, 'minimum') ?? -Infinity
  const above = highest(one, 'exclusiveMinimum') ?? -Infinity
  const upper = lowest(one, 'maximum') ?? Infinity
  const below = lowest(one, 'exclusiveMaximum') ?? Infinity
  const all = (holds: (value: number) => boolean, otherwise: boolean): boolean =>
    values ? values.every(holds) : otherwise
  if (
    typeof minimum === 'number' &&
    !all((value) => value >= minimum, Math.max(lower, above) >= minimum)
  )
    miss('minimum', finite(lower))
  if (
    typeof maximum === 'number' &&
    !all((value) => value <= maximum, Math.min(upper, below) <= maximum)
  )
    miss('maximum', finite(upper))
  if (
    typeof exclusiveMinimum === 'number' &&
    !all((value) => value > exclusiveMinimum, lower > exclusiveMinimum || above >= exclusiveMinimum)
  )
    miss('exclusiveMinimum', finite(above))
  if (
    typeof exclusiveMaximum === 'number' &&
    !all((value) => value < exclusiveMaximum, upper < exclusiveMaximum || below <= exclusiveMaximum)
  )
    miss('exclusiveMaximum', finite(below))
  if (typeof multipleOf === 'number') {
    const multiples = given(one, 'multipleOf').map(({ value }) => Number(value) / multipleOf)
    const isWhole = one.isInteger && Number.isInteger(1 / multipleOf)
    // Divide as Ajv does, with the same rounding errors.
    if (
      !all(
        (value) => Number.isInteger(value / multipleOf),
        isWhole || multiples.some(Number.isInteger),
      )
    )
      miss('multipleOf', given(one, 'multipleOf')[0]?.value)
  }
  return found
}

function finite(bound: number): number | undefined {
  return Number.isFinite(bound) ? bound : undefined
}
