/** Completions of statements: how they end, as in the specification of JavaScript. Several branches are followed, and joined. */
import type { Node } from '../../util/source/project.ts'
import { normal, type Completion, type Machine, type Result } from '../values/machine.ts'
import { choice } from '../values/choices.ts'
import { undefinedValue, type ChoiceKey, type Value } from '../values/index.ts'
import { Exit, Thrown } from '../values/thrown.ts'

/** A completion that doesn't depend on a condition. */
export type Certain = Exclude<Completion, { type: 'mixed' | 'suspend' }>

/** Joins the completions of several branches: equal jumps become one, and returned values a choice. Others stay apart. */
function joinCompletions(completions: readonly Completion[], key: ChoiceKey, at: Node): Completion {
  const [first, ...others] = completions
  if (first === undefined || others.every((other) => other === first)) return first ?? normal
  if (first.type === 'return') {
    const values = completions.flatMap((one) => (one.type === 'return' ? [one.value] : []))
    if (values.length === completions.length) {
      return { type: 'return', value: choice(values, at, key) }
    }
  }
  const isJump = first.type === 'break' || first.type === 'continue'
  if (isJump && others.every((one) => one.type === first.type && one.label === first.label)) {
    return first
  }
  return { type: 'mixed', options: completions, key }
}

/** Replaces each completion of a statement. */
export function mapCompletion(
  completion: Completion,
  at: Node,
  map: (one: Certain) => Completion,
): Completion {
  if (completion.type === 'suspend') {
    return resumed(completion, (rest) => mapCompletion(rest(), at, map))
  }
  if (completion.type !== 'mixed') return map(completion)
  const { key, options } = completion
  const mapped = options.map((one) => mapCompletion(one, at, map))
  return joinCompletions(mapped, key, at)
}

/** Runs something with the rest of a suspended completion. */
export function resumed(
  completion: Extract<Completion, { type: 'suspend' }>,
  run: (rest: () => Completion) => Completion,
): Completion {
  return { ...completion, resume: (take) => run(() => completion.resume(take)) }
}

/** Continues with a completion that isn't suspended, once it is there. */
export function whenSettled(
  m: Machine,
  completion: Completion,
  at: Node,
  next: (completion: Completion) => Completion,
): Completion {
  if (completion.type === 'suspend') {
    return resumed(completion, (rest) => whenSettled(m, catchThrown(rest), at, next))
  }
  if (completion.type !== 'mixed' || !includes(completion, 'suspend')) return next(completion)
  const branches = completion.options.map(
    (one) => () => catchThrown(() => whenSettled(m, one, at, next)),
  )
  return m.fork(branches, at, completion.key)
}

/** Returns the result of a function whose body completes this way. */
export function resultOf(completion: Completion, at: Node): Value {
  switch (completion.type) {
    case 'return':
      return completion.value
    case 'mixed': {
      const values = completion.options.map((one) => resultOf(one, at))
      return choice(values, at, completion.key)
    }
    case 'throw':
      throw completion.error
    default:
      return undefinedValue
  }
}

/**
 * Follows every branch of a condition that only the running application knows, each from the same
 * state. A branch that throws gets the result of another one, unless all branches throw.
 */
export function fork<T extends Result>(
  m: Machine,
  branches: readonly (() => T)[],
  at: Node,
  key: ChoiceKey = { count: branches.length },
): T {
  const results: { readonly result: T }[] = []
  let failure: unknown
  m.journal.branch(
    branches.map((run, index) => () => {
      m.branches.push({ condition: key, index })
      // A branch takes more of the JavaScript stack than an expression.
      m.budget.nesting += 2
      try {
        results[index] = { result: run() }
        return true
      } catch (error) {
        if (!(error instanceof Thrown)) throw error
        failure = error
        error.isOfBranch = true
        if (!(error instanceof Exit)) m.thrown.push(error)
        return false
      } finally {
        m.budget.nesting -= 2
        m.branches.pop()
      }
    }),
    at,
    key,
  )
  const kept = results.find((one) => one !== undefined)
  if (kept === undefined) throw failure
  const all = Array.from(branches, (_, index): Result => (results[index] ?? kept).result)
  return joinResults(all, at, key) as T
}

/** Joins results, which are of one kind. */
function joinResults(results: readonly Result[], at: Node, key: ChoiceKey): Result {
  const completions = results.filter((one) => one !== undefined && 'type' in one)
  if (completions.length > 0) return joinCompletions(completions, key, at)
  const values = results.filter((one) => one !== undefined && 'kind' in one)
  return values.length > 0 ? choice(values, at, key) : undefined
}

/** Inside of a `try`, lets a branch of statements complete by throwing. */
export function catching<Args extends unknown[]>(
  m: Machine,
  run: (...args: Args) => Completion,
): (...args: Args) => Completion {
  return m.tries.inFunction === 0 ? run : (...args) => catchThrown(() => run(...args))
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

/** Continues after the completions of one type, under their conditions. */
export function continueAfter<Type extends Certain['type']>(
  m: Machine,
  completion: Completion,
  type: Type,
  at: Node,
  next: (one: Extract<Certain, { type: Type }>) => Completion,
): Completion {
  if (completion.type === 'suspend') {
    return type === 'throw'
      ? completion
      : resumed(completion, (rest) => continueAfter(m, rest(), type, at, next))
  }
  if (completion.type !== 'mixed') {
    return completion.type === type
      ? next(completion as Extract<Certain, { type: Type }>)
      : completion
  }
  if (!includes(completion, type)) return completion
  if (type === 'normal' && m.branches.length >= maxSplit) {
    const leaves = leavesOf(completion)
    const other = leaves.find((one) => one.type !== type)
    if (other !== undefined && leaves.filter((one) => one.type === type).length > 1) {
      const all = catching(m, () => next(normal as Extract<Certain, { type: Type }>))
      return fork(m, [all, () => withoutNormal(completion, other)], at)
    }
  }
  const goOn = catching(m, (one: Completion) => continueAfter(m, one, type, at, next))
  const branches = completion.options.map((one) => () => goOn(one))
  return fork(m, branches, at, completion.key)
}

/**
 * Under as many conditions, the rest is followed once for all normal completions. Following it for each of them takes twice as long after
 * every round of a loop.
 */
const maxSplit = 8

function leavesOf(completion: Completion): readonly Completion[] {
  return completion.type === 'mixed' ? completion.options.flatMap(leavesOf) : [completion]
}

function withoutNormal(completion: Completion, other: Completion): Completion {
  if (completion.type === 'normal') return other
  if (completion.type !== 'mixed') return completion
  return { ...completion, options: completion.options.map((one) => withoutNormal(one, other)) }
}

function includes(completion: Completion, type: Completion['type']): boolean {
  return completion.type === 'mixed'
    ? completion.options.some((one) => includes(one, type))
    : completion.type === type || completion.type === 'suspend'
}
