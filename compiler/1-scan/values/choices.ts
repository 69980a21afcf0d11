/** Choices: values that depend on conditions. */
import type { Node } from '../../util/source/project.ts'
import { absent, unknown, type Choice, type ChoiceKey, type Value } from './index.ts'

/** With more outcomes, a value becomes unknown. */
const maxOutcomes = 64

export const tooManyConditions = 'it depends on more conditions than can be followed'

/** Joins the values under each outcome of `key`. Without a key, the values get a condition of their own. */
export function choice(values: readonly Value[], at: Node | undefined, key?: ChoiceKey): Value {
  const options =
    key === undefined
      ? values.flatMap(optionsOf)
      : values.map((option, index) => under(option, key, index))
  const distinct: Value[] = []
  for (const option of options) {
    if (!distinct.some((known) => same(known, option))) distinct.push(option)
  }
  if (distinct.length === 1) return distinct[0] as Value
  const count = (option: Value): number => (option.kind === 'choice' ? option.outcomes : 1)
  const outcomes = options.reduce((sum, option) => sum + count(option), 0)
  if (outcomes > maxOutcomes && at !== undefined) return unknown(tooManyConditions, at)
  return key === undefined
    ? { kind: 'choice', options: distinct, outcomes, key: { count: distinct.length }, at }
    : { kind: 'choice', options, outcomes, key, at }
}

/** Returns whether some values together have too many outcomes. */
export function hasTooManyOutcomes(values: readonly Value[]): boolean {
  const counts = new Map<ChoiceKey, number>()
  for (const value of values) {
    if (value.kind === 'choice') counts.set(value.key, value.outcomes)
  }
  return [...counts.values()].reduce((product, count) => product * count, 1) > maxOutcomes
}

function under(value: Value, key: ChoiceKey, index: number): Value {
  if (value.kind !== 'choice' || value.key !== key) return value
  return under(value.options[index] ?? value, key, index)
}

/** Maps each option of a choice. */
export function mapChoice(value: Choice, map: (option: Value) => Value, at: Node): Value {
  return choice(value.options.map(map), at, value.key)
}

/** Returns all options of a value, including nested ones. */
export function optionsOf(value: Value): Value[] {
  return value.kind === 'choice' ? value.options.flatMap(optionsOf) : [value]
}

function same(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a === absent || b === absent) return false
  return a.kind === 'primitive' && b.kind === 'primitive' && Object.is(a.value, b.value)
}
