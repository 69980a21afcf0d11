import type { Node } from '../project.ts'
import { joined, type Certain } from '../values/completions.ts'
import { Exit, Thrown } from '../values/thrown.ts'
import type { Completion, Machine } from '../values/machine.ts'
import { choice, type ChoiceKey, type Value } from '../values/index.ts'

/**
 * Follows every branch of a condition that only the running application knows, each from the same
 * state. What a branch has thrown in does not count, unless all have.
 */
export function forkValues(
  m: Machine,
  branches: readonly (() => Value)[],
  at: Node,
  key: ChoiceKey = { count: branches.length },
): Value {
  return choice(follow(m, branches, at, key), at, key)
}

/** Does the same for statements. Inside of a `try`, a branch may complete by throwing. */
export function forkCompletions(
  m: Machine,
  branches: readonly (() => Completion)[],
  at: Node,
  key: ChoiceKey = { count: branches.length },
): Completion {
  const caught = branches.map((run) => (): Completion => {
    try {
      return run()
    } catch (error) {
      if (m.tries.own === 0 || !(error instanceof Thrown) || error instanceof Exit) throw error
      return { type: 'throw', error }
    }
  })
  return joined(follow(m, caught, at, key), key, at)
}

/** Continues after the completions that `isMeant` selects, under their conditions. */
export function after(
  m: Machine,
  completion: Completion,
  at: Node,
  isMeant: (one: Certain) => boolean,
  next: (one: Certain) => Completion,
): Completion {
  if (completion.type !== 'mixed') return isMeant(completion) ? next(completion) : completion
  if (!holds(completion, isMeant)) return completion
  const branches = completion.options.map((one) => () => after(m, one, at, isMeant, next))
  return forkCompletions(m, branches, at, completion.key)
}

/** Continues after a statement that ended normally. */
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

/** Returns one result for each branch. A branch that throws gets the result of another one. */
function follow<T>(m: Machine, branches: readonly (() => T)[], at: Node, key: ChoiceKey): T[] {
  const results: (T | undefined)[] = []
  let failure: unknown
  m.journal.branch(
    branches.map((run, index) => () => {
      m.branches.push({ condition: key, index })
      m.budget.nesting += 2
      try {
        results[index] = run()
        return 'kept' as const
      } catch (error) {
        if (!(error instanceof Thrown)) throw error
        failure = error
        if (!(error instanceof Exit)) m.thrown.push(error)
        return 'dropped' as const
      } finally {
        m.budget.nesting -= 2
        m.branches.pop()
      }
    }),
    at,
    key,
  )
  const kept = results.find((result) => result !== undefined)
  if (kept === undefined) throw failure
  return Array.from(branches, (_, index) => results[index] ?? kept)
}
