import type { Node } from '../project.ts'
import { normal } from './machine.ts'
import { Thrown } from './thrown.ts'
import type { Arm, Completion, Machine } from './machine.ts'
import type { Scope } from './scope.ts'
import { choice } from './values.ts'
import type { ChoiceKey, Value } from './values.ts'

/**
 * Follows every arm of a condition that only the running application knows, each from the same
 * state. What an arm has thrown in does not count, unless all have.
 */
export function forkValues(
  m: Machine,
  arms: readonly (() => Value)[],
  at: Node,
  key: ChoiceKey = { count: arms.length },
): Value {
  return choice(follow(m, arms, at, key), at, key)
}

/** The same for statements: a `return` in one arm is remembered, and the others go on. */
export function forkCompletions(
  m: Machine,
  arms: readonly (() => Completion)[],
  at: Node,
  scope: Scope,
  key: ChoiceKey = { count: arms.length },
): Completion {
  const completions = follow(m, arms, at, key)
  const returned = completions.flatMap((one) => (one.type === 'return' ? [one.value] : []))
  if (returned.length === completions.length) {
    return { type: 'return', value: choice(returned, at, key) }
  }
  if (completions.some((one) => one.type !== completions[0]?.type)) m.early.count++
  for (const [arm, completion] of completions.entries()) {
    if (completion.type !== 'return') continue
    const taken = [...m.arms.slice(scope.frame.armCount), { site: key, arm }]
    scope.frame.returns.push({ value: completion.value, arms: taken })
  }
  const [first, ...rest] = completions.filter((one) => one.type !== 'return')
  return first !== undefined && rest.every((one) => one.type === first.type) ? first : normal
}

/** What a function returns: early returns where their conditions hold, else what it ends with. */
export function joinReturns(scope: Scope, last: Value, at: Node): Value {
  return scope.frame.returns.reduceRight<Value>(
    (rest, { value, arms }) => under(arms, value, rest, at),
    last,
  )
}

function under(arms: readonly Arm[], value: Value, rest: Value, at: Node): Value {
  const [first, ...inner] = arms
  if (first === undefined) return value
  const { site, arm } = first
  const otherwise = (index: number): Value =>
    (rest.kind === 'choice' && rest.key === site ? rest.options[index] : undefined) ?? rest
  const options = Array.from({ length: site.count }, (_, index) =>
    index === arm ? under(inner, value, otherwise(index), at) : otherwise(index),
  )
  return choice(options, at, site)
}

/** One result for each arm; an arm that cannot be taken to its end counts as one that can. */
function follow<T>(m: Machine, arms: readonly (() => T)[], at: Node, key: ChoiceKey): T[] {
  const results: (T | undefined)[] = []
  let failure: unknown
  m.journal.branch(
    arms.map((run, arm) => () => {
      m.arms.push({ site: key, arm })
      m.budget.nesting += 2
      try {
        results[arm] = run()
        return 'kept' as const
      } catch (error) {
        if (!(error instanceof Thrown)) throw error
        failure = error
        m.thrown.push(error)
        return 'dropped' as const
      } finally {
        m.budget.nesting -= 2
        m.arms.pop()
      }
    }),
    at,
    key,
  )
  const kept = results.find((result) => result !== undefined)
  if (kept === undefined) throw failure
  return Array.from(arms, (_, arm) => results[arm] ?? kept)
}
