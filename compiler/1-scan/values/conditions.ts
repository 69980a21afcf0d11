/** Conditions that only the running application knows: branches are followed for each outcome, and values split into their options. */
import type { Node } from '../../util/source/project.ts'
import type { Branch, Machine, Result } from './machine.ts'
import { tooManyConditions, choice, hasTooManyOutcomes, optionsOf } from './choices.ts'
import { isGiven, truthiness, absent, unknown } from './index.ts'
import type { ChoiceKey, Unknown, Value, ArrayValue } from './index.ts'

const keysOfUnknown = new WeakMap<Unknown, ChoiceKey>()

/** Returns one key per unknown value: it is truthy wherever it is tested, or nowhere. */
function keyOf(value: Unknown): ChoiceKey {
  let key = keysOfUnknown.get(value)
  if (key === undefined) keysOfUnknown.set(value, (key = { count: 2 }))
  return key
}

/** A property of a value; `undefined` when it isn't known. */
type Predicate = (value: Value) => boolean | undefined

/** A deferred value that isn't known to be a primitive is an object or a function. */
const isTruthy: Predicate = (value) => (value.kind === 'deferred' ? true : truthiness(value))

export const isNullish: Predicate = (value) =>
  value.kind === 'unknown' ? undefined : !isGiven(value)

/** Returns the result that all options of a value share; `undefined` if they differ. */
function resultOf(m: Machine, value: Value, predicate: Predicate): boolean | undefined {
  const known = m.known(value)
  if (known.kind !== 'choice') return predicate(known)
  const [first, ...others] = known.options.map((option) => resultOf(m, option, predicate))
  return others.every((other) => other === first) ? first : undefined
}

/** Returns whether a value is truthy; `undefined` when only the running application knows. */
export function truthOf(m: Machine, value: Value): boolean | undefined {
  return resultOf(m, value, isTruthy)
}

/** Follows the branch that a condition takes, or both. `take` gets the outcome, and the value that has it. */
export function branchOn<T extends Result>(
  m: Machine,
  condition: Value,
  at: Node,
  take: (outcome: boolean, value: Value) => T,
  predicate: Predicate = isTruthy,
): T {
  const value = refine(m, m.known(condition))
  const outcome = resultOf(m, value, predicate)
  if (outcome !== undefined) return take(outcome, value)
  if (value.kind === 'choice') {
    const branches = value.options.map((option) => () => branchOn(m, option, at, take, predicate))
    return m.fork(branches, at, value.key)
  }
  const key = value.kind === 'unknown' ? keyOf(value) : { count: 2 }
  return m.fork([() => take(true, value), () => take(false, value)], at, key)
}

/** Runs something under the conditions of branches, beside those that are being followed. */
export function under(m: Machine, branches: readonly Branch[], at: Node, run: () => void): void {
  const [first, ...rest] = branches
  if (first === undefined) return run()
  const outcome = outcomeOf(m, first.condition)
  if (outcome === first.index) return under(m, rest, at, run)
  if (outcome !== undefined) return
  const { condition, index } = first
  const options = Array.from({ length: condition.count }, (_, one) => (): void => {
    if (one === index) under(m, rest, at, run)
  })
  m.fork(options, at, condition)
}

/** Returns what a value is where the entry is the main module, or `otherwise`. */
export function asMain(m: Machine, value: Value, otherwise: Value): Value {
  return choice([value, otherwise], m.entryFile, m.mainModule)
}

/** Returns whether what is being followed happens only where the entry is the main module. */
export function happensAsMain(m: Machine, branches: readonly Branch[] = m.branches): boolean {
  return branches.some(({ condition, index }) => condition === m.mainModule && index === 0)
}

/** Returns the outcome of a condition in the branch that is being followed. */
function outcomeOf(m: Machine, key: ChoiceKey): number | undefined {
  return m.branches.findLast(({ condition }) => condition === key)?.index
}

/** Returns the value under the conditions that are being followed. */
export function refine(m: Machine, value: Value): Value {
  if (value.kind !== 'choice') return value
  const outcome = outcomeOf(m, value.key)
  const option = outcome === undefined ? undefined : value.options[outcome]
  return option === undefined ? value : refine(m, option)
}

/** Lists with more optional elements aren't split into all lists that they may be. */
const maxOptional = 6

/** Turns a list with too many optional elements into an uncertain list that has all of them. */
export function limitOptional(m: Machine, value: Value): Value {
  if (value.kind !== 'array' || value.elements.length <= maxOptional) return value
  const undecided = new Set<ChoiceKey>()
  for (const element of value.elements) {
    if (element.kind !== 'choice' || !isOptional(element)) continue
    if (outcomeOf(m, element.key) === undefined) undecided.add(element.key)
  }
  if (undecided.size <= maxOptional) return value
  const elements = value.elements.map((element) => {
    if (!isOptional(element)) return element
    const options = optionsOf(element).filter((option) => option !== absent)
    return choice(options, element.at)
  })
  const uncertainty = value.uncertainty ?? unknown(tooManyConditions, value.at ?? m.entryFile)
  return { ...value, elements, uncertainty }
}

/** Returns the elements that a list has under the conditions that are being followed. */
export function currentElements(m: Machine, { elements }: ArrayValue): Value[] {
  return elements.map((element) => refine(m, element)).filter((element) => element !== absent)
}

export function isOptional(value: Value): boolean {
  return value === absent || (value.kind === 'choice' && value.options.some(isOptional))
}

/**
 * Calls `use` with each option of a value, under the condition of that option. A list with an optional element is split into lists
 * with and without it.
 */
export function distribute<T extends Result>(
  m: Machine,
  given: Value,
  at: Node,
  use: (value: Value) => T,
): T {
  const value = limitOptional(m, given)
  const isOptionalChoice = (one: Value): boolean => one.kind === 'choice' && isOptional(one)
  const condition = value.kind === 'array' ? value.elements.find(isOptionalChoice) : value
  if (condition?.kind !== 'choice') return use(value)
  const { key } = condition
  const branch = (index: number): T => {
    if (value.kind === 'choice') return distribute(m, value.options[index] ?? absent, at, use)
    if (value.kind === 'array') m.journal.setElements(value, elementsUnder(value, key, index))
    return distribute(m, value, at, use)
  }
  const outcome = outcomeOf(m, key)
  if (outcome !== undefined) return branch(outcome)
  const branches = Array.from({ length: key.count }, (_, index) => () => branch(index))
  return m.fork(branches, at, key)
}

/** Returns the elements of a list under one outcome. */
function elementsUnder({ elements }: ArrayValue, key: ChoiceKey, index: number): Value[] {
  return elements.flatMap((element) => {
    if (element.kind !== 'choice' || element.key !== key) return [element]
    const option = element.options[index] ?? absent
    return option === absent ? [] : [option]
  })
}

/** Like `distribute`, but doesn't split lists with optional elements. */
export function forEachOption<T extends Result>(
  m: Machine,
  given: Value,
  at: Node,
  use: (value: Value) => T,
): T {
  const value = refine(m, given)
  if (value.kind !== 'choice') return use(value)
  const branches = value.options.map((option) => () => forEachOption(m, option, at, use))
  return m.fork(branches, at, value.key)
}

/** Calls `use` with each combination of the options of several values, into which `split` splits each. */
export function distributeAll(
  m: Machine,
  values: readonly Value[],
  at: Node,
  use: (values: Value[]) => Value,
  split: typeof distribute<Value> = distribute,
): Value {
  const [first, ...rest] = values
  if (first === undefined) return use([])
  if (hasTooManyOutcomes(values)) {
    const tooMany = unknown(tooManyConditions, at)
    return use(values.map((value) => (value.kind === 'choice' ? tooMany : value)))
  }
  const withOthers = (one: Value): Value =>
    distributeAll(m, rest, at, (others) => use([one, ...others]), split)
  return split(m, first, at, withOthers)
}
