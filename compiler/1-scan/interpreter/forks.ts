import type { Node } from '../project.ts'
import { joined, type Certain } from '../values/completions.ts'
import { Exit, Thrown } from '../values/thrown.ts'
import type { Completion, Machine } from '../values/machine.ts'
import { choice, type ChoiceKey, type Value } from '../values/index.ts'

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

/** The same for statements. Inside of a `try`, an arm that throws ends with that. */
export function forkCompletions(
  m: Machine,
  arms: readonly (() => Completion)[],
  at: Node,
  key: ChoiceKey = { count: arms.length },
): Completion {
  const caught = arms.map((run) => (): Completion => {
    try {
      return run()
    } catch (error) {
      if (m.tries.own === 0 || !(error instanceof Thrown) || error instanceof Exit) throw error
      return { type: 'throw', error }
    }
  })
  return joined(follow(m, caught, at, key), key, at)
}

/** Goes on after what ends in a certain way, under the conditions for that. */
export function after(
  m: Machine,
  completion: Completion,
  at: Node,
  isMeant: (one: Certain) => boolean,
  next: (one: Certain) => Completion,
): Completion {
  if (completion.type !== 'mixed') return isMeant(completion) ? next(completion) : completion
  if (!holds(completion, isMeant)) return completion
  const arms = completion.options.map((one) => () => after(m, one, at, isMeant, next))
  return forkCompletions(m, arms, at, completion.key)
}

/** Goes on after a statement, where it has come to its end. */
export function afterNormal(
  m: Machine,
  completion: Completion,
  at: Node,
  next: () => Completion,
): Completion {
  return after(m, completion, at, (one) => one.type === 'normal', next)
}

function holds(completion: Completion, isMeant: (one: Certain) => boolean): boolean {
  return completion.type === 'mixed'
    ? completion.options.some((one) => holds(one, isMeant))
    : isMeant(completion)
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
        if (!(error instanceof Exit)) m.thrown.push(error)
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
