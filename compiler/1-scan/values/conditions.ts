import type { Node } from '../project.ts'
import type { Machine } from './machine.ts'
import { choice, isGiven, mapChoice, primitive, truthiness } from './index.ts'
import type { ChoiceKey, Unknown, Value } from './index.ts'

const keysOfUnknown = new WeakMap<Unknown, ChoiceKey>()

/** Returns one key per unknown value: it is truthy wherever it is tested, or nowhere. */
function keyOf(value: Unknown): ChoiceKey {
  let key = keysOfUnknown.get(value)
  if (key === undefined) keysOfUnknown.set(value, (key = { count: 2 }))
  return key
}

/** A property of a value; `undefined` when it isn't known. */
type Question = (value: Value) => boolean | undefined

const isTruthy: Question = (value) => (value.kind === 'deferred' ? true : truthiness(value))

export const isNullish: Question = (value) =>
  value.kind === 'unknown' ? undefined : !isGiven(value)

/** Returns the result that all options of a value share. */
function answer(m: Machine, value: Value, question: Question): boolean | undefined {
  const known = m.known(value)
  if (known.kind !== 'choice') return question(known)
  const [first, ...others] = known.options.map((option) => answer(m, option, question))
  return others.every((other) => other === first) ? first : undefined
}

/** Returns whether a value is truthy; `undefined` when the run decides. */
export function truth(m: Machine, value: Value): boolean | undefined {
  return answer(m, value, isTruthy)
}

/** Follows several branches, as `m.fork` does for values. */
export type Fork<T> = (branches: readonly (() => T)[], key: ChoiceKey) => T

/**
 * Follows the branch that a condition takes, or each that it may take: `take` gets the answer, and the value that gave
 * it.
 */
export function branchOn<T>(
  m: Machine,
  condition: Value,
  take: (outcome: boolean, value: Value) => T,
  fork: Fork<T>,
  question: Question = isTruthy,
): T {
  const value = refine(m, m.known(condition))
  const known = answer(m, value, question)
  if (known !== undefined) return take(known, value)
  if (value.kind === 'choice') {
    const branches = value.options.map((option) => () => branchOn(m, option, take, fork, question))
    return fork(branches, value.key)
  }
  const key = value.kind === 'unknown' ? keyOf(value) : { count: 2 }
  return fork([() => take(true, value), () => take(false, value)], key)
}

/** `!value` */
export function negate(m: Machine, operand: Value, at: Node): Value {
  const value = m.known(operand)
  const known = truth(m, value)
  if (known !== undefined) return primitive(!known, at)
  if (value.kind === 'choice') return mapChoice(value, (option) => negate(m, option, at), at)
  const key = value.kind === 'unknown' ? keyOf(value) : undefined
  return choice([primitive(false, at), primitive(true, at)], at, key)
}

/** Returns the value under the conditions that are being followed. */
export function refine(m: Machine, value: Value): Value {
  if (value.kind !== 'choice') return value
  const taken = m.branches.findLast(({ condition }) => condition === value.key)
  const option = taken === undefined ? undefined : value.options[taken.index]
  return option === undefined ? value : refine(m, option)
}
