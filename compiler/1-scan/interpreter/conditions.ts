import type { Machine } from './machine.ts'
import { choice, primitive, truthiness, undefinedValue } from './values.ts'
import type { ChoiceKey, Unknown, Value } from './values.ts'
import type { Node } from '../project.ts'

/** What a condition says: known, or one outcome for each option of something that is not. */
export type Decision = boolean | { readonly key: ChoiceKey; readonly outcomes: readonly boolean[] }

const keysOfUnknown = new WeakMap<Unknown, ChoiceKey>()

/** The same unknown value is truthy in all the places where it is asked, or in none. */
function keyOf(value: Unknown): ChoiceKey {
  let key = keysOfUnknown.get(value)
  if (key === undefined) keysOfUnknown.set(value, (key = { count: 2 }))
  return key
}

export function decide(m: Machine, condition: Value): Decision {
  const value = m.known(condition)
  const truthy = truthiness(value)
  if (truthy !== undefined) return truthy
  if (value.kind === 'deferred') return true
  if (value.kind === 'choice') {
    const outcomes = value.options.map((option) => decide(m, option))
    if (outcomes.every((outcome) => typeof outcome === 'boolean')) {
      return { key: value.key, outcomes }
    }
    return { key: { count: 2 }, outcomes: [true, false] }
  }
  const key = value.kind === 'unknown' ? keyOf(value) : { count: 2 }
  return { key, outcomes: [true, false] }
}

/** Whether a value is truthy; `undefined` when that depends on the run. */
export function truth(m: Machine, value: Value): boolean | undefined {
  const decision = decide(m, value)
  return typeof decision === 'boolean' ? decision : undefined
}

/** Follows the branch that a condition takes, or both. */
export function branch(
  m: Machine,
  decision: Decision,
  take: (outcome: boolean, option: number | undefined) => Value,
  at: Node,
): Value {
  if (typeof decision === 'boolean') return take(decision, undefined)
  const arms = decision.outcomes.map((outcome, option) => () => take(outcome, option))
  return m.fork(arms, at, decision.key)
}

/** A truth value out of a decision. */
export function toBoolean(decision: Decision, at: Node): Value {
  if (typeof decision === 'boolean') return primitive(decision, at)
  return choice(
    decision.outcomes.map((outcome) => primitive(outcome, at)),
    at,
    decision.key,
  )
}

/** The value under the conditions that are being followed right now. */
export function refine(m: Machine, value: Value): Value {
  if (value.kind !== 'choice') return value
  const arm = m.arms.findLast(({ site }) => site === value.key)
  const option = arm === undefined ? undefined : value.options[arm.arm]
  return option === undefined ? value : refine(m, option)
}

/** Does something for everything that a value may be, each time under the conditions for it. */
export function forEachOption(
  m: Machine,
  value: Value,
  at: Node,
  run: (option: Value) => void,
): void {
  if (value.kind !== 'choice') {
    run(value)
    return
  }
  const arms = value.options.map((option) => (): Value => {
    forEachOption(m, option, at, run)
    return undefinedValue
  })
  m.fork(arms, at, value.key)
}
