/** Follows several branches, and joins their results. */
import type { Node } from '../project.ts'
import { joined, type Certain } from '../values/completions.ts'
import { Exit, Thrown } from '../values/thrown.ts'
import type { Completion, Machine } from '../values/machine.ts'
import { branchWith } from '../values/conditions.ts'
import { choice, type ChoiceKey, type Value } from '../values/index.ts'

/**
 * Follows every branch of a condition that only the running application knows, each from the same
 * state. A branch that throws is ignored, unless all branches throw.
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
  const runs =
    m.tries.own === 0 ? branches : branches.map((run) => (): Completion => catchThrown(run))
  return joined(follow(m, runs, at, key), key, at)
}

/** Turns an exception of the interpreted code into a completion. */
export function catchThrown(run: () => Completion): Completion {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Thrown) || error instanceof Exit) throw error
    return { type: 'throw', error }
  }
}

/** Runs the statements that a condition selects. */
export function branchStatements(
  m: Machine,
  condition: Value,
  at: Node,
  take: (outcome: boolean) => Completion,
): Completion {
  return branchWith(m, condition, at, take, (branches, place, key) =>
    forkCompletions(m, branches, place, key),
  )
}

/** Continues after the completions of one type, under their conditions. */
export function continueAfter<Type extends Certain['type']>(
  m: Machine,
  completion: Completion,
  type: Type,
  at: Node,
  next: (one: Extract<Certain, { type: Type }>) => Completion,
): Completion {
  if (completion.type !== 'mixed') {
    return completion.type === type
      ? next(completion as Extract<Certain, { type: Type }>)
      : completion
  }
  if (!includes(completion, type)) return completion
  const branches = completion.options.map((one) => () => continueAfter(m, one, type, at, next))
  return forkCompletions(m, branches, at, completion.key)
}

function includes(completion: Completion, type: Completion['type']): boolean {
  return completion.type === 'mixed'
    ? completion.options.some((one) => includes(one, type))
    : completion.type === type
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
