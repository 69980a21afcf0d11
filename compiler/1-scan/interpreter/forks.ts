import type { Node } from '../project.ts'
import { normal, Thrown } from './machine.ts'
import type { Completion, Machine } from './machine.ts'
import type { Scope } from './scope.ts'
import { choice } from './values.ts'
import type { Value } from './values.ts'

/**
 * Follows every arm of a condition that only the running application knows, each from the same
 * state. What an arm has thrown in does not count, unless all have.
 */
export function forkValues(m: Machine, arms: readonly (() => Value)[], at: Node): Value {
  return choice(follow(m, arms, at), at)
}

/** The same for statements: a `return` in one arm is remembered, and the others go on. */
export function forkCompletions(
  m: Machine,
  arms: readonly (() => Completion)[],
  at: Node,
  scope: Scope,
): Completion {
  const completions = follow(m, arms, at)
  const returned = completions.flatMap((one) => (one.type === 'return' ? [one.value] : []))
  if (returned.length === completions.length) {
    return { type: 'return', value: choice(returned, at) }
  }
  scope.frame.returns.push(...returned)
  const [first, ...rest] = completions.filter((one) => one.type !== 'return')
  return first !== undefined && rest.every((one) => one.type === first.type) ? first : normal
}

function follow<T>(m: Machine, arms: readonly (() => T)[], at: Node): T[] {
  const results: T[] = []
  const site = {}
  let failure: unknown
  m.journal.branch(
    arms.map((run, arm) => () => {
      m.arms.push({ site, arm })
      try {
        results.push(run())
        return 'kept' as const
      } catch (error) {
        if (!(error instanceof Thrown)) throw error
        failure = error
        return 'dropped' as const
      } finally {
        m.arms.pop()
      }
    }),
    at,
  )
  if (results.length === 0) throw failure
  return results
}
