/** Conditions that only the running application knows, and the branches that they select. */
import type { Node } from '../project.ts'
import type { Machine } from './machine.ts'
import { isGiven, truthiness } from './index.ts'
import type { ChoiceKey, Unknown, Value } from './index.ts'

const keysOfUnknown = new WeakMap<Unknown, ChoiceKey>()

/** Returns one key per unknown value: it is truthy wherever it is tested, or nowhere. */
function keyOf(value: Unknown): ChoiceKey {
  let key = keysOfUnknown.get(value)
  if (key === undefined) keysOfUnknown.set(value, (key = { count: 2 }))
  return key
}

/** A property of a value; `undefined` when it isn't known. */
type Predicate = (value: Value) => boolean | undefined

const isTruthy: Predicate = (value) => (value.kind === 'deferred' ? true : truthiness(value))

export const isNullish: Predicate = (value) =>
  value.kind === 'unknown' ? undefined : !isGiven(value)

/** Returns the result that all options of a value share. */
function resultOf(m: Machine, value: Value, predicate: Predicate): boolean | undefined {
  const known = m.known(value)
  if (known.kind !== 'choice') return predicate(known)
  const [first, ...others] = known.options.map((option) => resultOf(m, option, predicate))
  return others.every((other) => other === first) ? first : undefined
}

/** Returns whether a value is truthy; `undefined` when the run decides. */
export function truthOf(m: Machine, value: Value): boolean | undefined {
  return resultOf(m, value, isTruthy)
}

/** Follows several branches, as `m.fork` does for values. */
export type Fork<T> = (branches: readonly (() => T)[], at: Node, key: ChoiceKey) => T

/** Follows the branch that a condition takes, or both. `take` gets the outcome, and the value that has it. */
export function branchOn(
  m: Machine,
  condition: Value,
  at: Node,
  take: (outcome: boolean, value: Value) => Value,
  predicate: Predicate = isTruthy,
): Value {
  return branchWith(m, condition, at, take, m.fork, predicate)
}

/** Does the same for results that aren't values. */
export function branchWith<T>(
  m: Machine,
  condition: Value,
  at: Node,
  take: (outcome: boolean, value: Value) => T,
  fork: Fork<T>,
  predicate: Predicate = isTruthy,
): T {
  const value = refine(m, m.known(condition))
  const known = resultOf(m, value, predicate)
  if (known !== undefined) return take(known, value)
  if (value.kind === 'choice') {
    const branches = value.options.map(
      (option) => () => branchWith(m, option, at, take, fork, predicate),
    )
    return fork(branches, at, value.key)
  }
  const key = value.kind === 'unknown' ? keyOf(value) : { count: 2 }
  return fork([() => take(true, value), () => take(false, value)], at, key)
}

/** Returns the outcome of a condition in the branch that is being followed. */
export function outcomeOf(m: Machine, key: ChoiceKey): number | undefined {
  return m.branches.findLast(({ condition }) => condition === key)?.index
}

/** Returns the value under the conditions that are being followed. */
export function refine(m: Machine, value: Value): Value {
  if (value.kind !== 'choice') return value
  const outcome = outcomeOf(m, value.key)
  const option = outcome === undefined ? undefined : value.options[outcome]
  return option === undefined ? value : refine(m, option)
}
