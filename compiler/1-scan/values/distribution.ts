/** Runs code for each option of a value that depends on conditions. */
import type { Node } from '../project.ts'
import { outcomeOf, refine, type Fork } from './conditions.ts'
import type { Machine } from './machine.ts'
import {
  absent,
  tooManyConditions,
  choice,
  hasTooManyOutcomes,
  optionsOf,
  undefinedValue,
  unknown,
} from './index.ts'
import type { ArrayValue, ChoiceKey, Value } from './index.ts'

/** Lists with more optional elements aren't split into all lists that they may be. */
const maxOptional = 6

/** Turns a list with too many optional elements into an uncertain list that has all of them. */
export function limitOptional(m: Machine, value: Value): Value {
  if (value.kind !== 'array' || value.elements.length <= maxOptional) return value
  const open = new Set<ChoiceKey>()
  for (const element of value.elements) {
    if (element.kind !== 'choice' || !isOptional(element)) continue
    if (outcomeOf(m, element.key) === undefined) open.add(element.key)
  }
  if (open.size <= maxOptional) return value
  const elements = value.elements.map((element) =>
    isOptional(element)
      ? choice(
          optionsOf(element).filter((option) => option !== absent),
          element.at,
        )
      : element,
  )
  const uncertainty = value.uncertainty ?? unknown(tooManyConditions, value.at ?? m.entryFile)
  return { ...value, elements, uncertainty }
}

/** The condition that a value depends on, and the value under each outcome. */
interface Split {
  readonly key: ChoiceKey
  readonly optionAt: (index: number) => Value
}

/** Splits a choice into its options. A list with an optional element is split into lists with and without it. */
function split(m: Machine, value: Value): Split | undefined {
  if (value.kind === 'choice') {
    return { key: value.key, optionAt: (index) => value.options[index] ?? absent }
  }
  const key = value.kind === 'array' ? optionalKey(value) : undefined
  if (value.kind !== 'array' || key === undefined) return undefined
  return {
    key,
    optionAt: (index) => {
      m.journal.setElements(value, project(value, key, index))
      return value
    },
  }
}

/** Calls `use` with each option of a value, under the condition of that option. */
export function distribute(
  m: Machine,
  given: Value,
  at: Node,
  use: (value: Value) => Value,
): Value {
  return distributeOver(m, given, at, use, m.fork)
}

/** Does the same for results that aren't values. */
export function distributeOver<T>(
  m: Machine,
  given: Value,
  at: Node,
  use: (value: Value) => T,
  fork: Fork<T>,
): T {
  const value = limitOptional(m, given)
  const several = split(m, value)
  if (several === undefined) return use(value)
  const { key, optionAt } = several
  const branch = (index: number): T => distributeOver(m, optionAt(index), at, use, fork)
  const outcome = outcomeOf(m, key)
  if (outcome !== undefined) return branch(outcome)
  const branches = Array.from({ length: key.count }, (_, index) => () => branch(index))
  return fork(branches, at, key)
}

/** Does the same for choices only. Lists with optional elements aren't split. */
export function distributeChoice(
  m: Machine,
  given: Value,
  at: Node,
  use: (value: Value) => Value,
): Value {
  const value = refine(m, given)
  if (value.kind !== 'choice') return use(value)
  const branches = value.options.map((option) => () => distributeChoice(m, option, at, use))
  return m.fork(branches, at, value.key)
}

/** Runs something for each option of a value, under the condition of that option. */
export function forEachOption(
  m: Machine,
  value: Value,
  at: Node,
  run: (option: Value) => void,
): void {
  distributeChoice(m, value, at, (option) => {
    run(option)
    return undefinedValue
  })
}

/** Calls `use` with each combination of the options of several values. */
export function distributeAll(
  m: Machine,
  values: readonly Value[],
  at: Node,
  use: (values: Value[]) => Value,
): Value {
  if (!hasTooManyOutcomes(values)) return distributeEach(m, values, at, use, [])
  const open = unknown(tooManyConditions, at)
  return use(values.map((value) => (value.kind === 'choice' ? open : value)))
}

function distributeEach(
  m: Machine,
  [first, ...rest]: readonly Value[],
  at: Node,
  use: (values: Value[]) => Value,
  done: readonly Value[],
): Value {
  if (first === undefined) return use([...done])
  return distribute(m, first, at, (one) => distributeEach(m, rest, at, use, [...done, one]))
}

/** Returns the condition of the first optional element. */
function optionalKey(value: ArrayValue): ChoiceKey | undefined {
  for (const element of value.elements) {
    if (element.kind === 'choice' && isOptional(element)) return element.key
  }
  return undefined
}

/** Returns whether a value may be absent. */
export function isOptional(value: Value): boolean {
  return value === absent || (value.kind === 'choice' && value.options.some(isOptional))
}

/** Returns the elements of a list under one outcome. */
function project(value: ArrayValue, key: ChoiceKey, index: number): Value[] {
  return value.elements.flatMap((element) => {
    if (element.kind !== 'choice' || element.key !== key) return [element]
    const option = element.options[index] ?? absent
    return option === absent ? [] : [option]
  })
}
