import type { Node } from '../project.ts'
import { refine, type Fork } from './conditions.ts'
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

/** A list with more optional elements than this is not taken for each list that it may be. */
const maxOptional = 6

/**
 * The value itself, or, for a list of which too many elements are optional, a list uncertain that has all elements that
 * may be there.
 */
export function bounded(m: Machine, value: Value): Value {
  if (value.kind !== 'array' || value.elements.length <= maxOptional) return value
  const open = new Set<ChoiceKey>()
  for (const element of value.elements) {
    if (element.kind !== 'choice' || !isOptional(element)) continue
    if (!m.branches.some(({ condition }) => condition === element.key)) open.add(element.key)
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

/** What a value that may be several depends on, and what it is under each outcome. */
interface Split {
  readonly key: ChoiceKey
  readonly take: (index: number) => Value
}

/** How a value may be several; lists with optional elements are several lists. */
function split(m: Machine, value: Value): Split | undefined {
  if (value.kind === 'choice') {
    return { key: value.key, take: (index) => value.options[index] ?? absent }
  }
  const key = value.kind === 'array' ? optionalKey(value) : undefined
  if (value.kind !== 'array' || key === undefined) return undefined
  return {
    key,
    take: (index) => {
      m.journal.setElements(value, project(value, key, index))
      return value
    },
  }
}

/** Uses a value that may be several: once for each of them, under the conditions for it. */
export function distribute(
  m: Machine,
  given: Value,
  at: Node,
  use: (value: Value) => Value,
): Value {
  return distributeOver(m, given, use, (branches, key) => m.fork(branches, at, key))
}

/** The same with a result that isn't a value. */
export function distributeOver<T>(
  m: Machine,
  given: Value,
  use: (value: Value) => T,
  fork: Fork<T>,
): T {
  const value = bounded(m, given)
  const several = split(m, value)
  if (several === undefined) return use(value)
  const { key, take } = several
  const branch = (index: number): T => distributeOver(m, take(index), use, fork)
  const taken = m.branches.findLast(({ condition }) => condition === key)?.index
  if (taken !== undefined) return branch(taken)
  return fork(
    Array.from({ length: key.count }, (_, index) => () => branch(index)),
    key,
  )
}

/** The same for choices alone: lists with optional elements stay one list. */
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

/** Does something for everything that a value may be, each time under the conditions for it. */
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

/** Uses a list of values, each of which may be several. */
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

/** What decides whether an optional element is there. */
function optionalKey(value: ArrayValue): ChoiceKey | undefined {
  for (const element of value.elements) {
    if (element.kind === 'choice' && isOptional(element)) return element.key
  }
  return undefined
}

/** Whether something may not be there at all. */
export function isOptional(value: Value): boolean {
  return value === absent || (value.kind === 'choice' && value.options.some(isOptional))
}

/** The elements under one outcome. */
function project(value: ArrayValue, key: ChoiceKey, index: number): Value[] {
  return value.elements.flatMap((element) => {
    if (element.kind !== 'choice' || element.key !== key) return [element]
    const option = element.options[index] ?? absent
    return option === absent ? [] : [option]
  })
}
