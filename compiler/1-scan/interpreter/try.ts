/** `try` statements. */
import type { ts } from '../../util/source/project.ts'
import {
  mapCompletion,
  catching,
  catchThrown,
  continueAfter,
  resumed,
  whenSettled,
} from './completions.ts'
import { executeBlock } from './hoisting.ts'
import { bind } from './patterns.ts'
import type { Completion, Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import type { Thrown } from '../values/thrown.ts'
import { unknown } from '../values/index.ts'

export function executeTry(m: Machine, node: ts.TryStatement, scope: Scope): Completion {
  const { tryBlock, catchClause, finallyBlock } = node
  const run = (): Completion =>
    catchClause === undefined
      ? executeBlock(m, tryBlock, scope)
      : executeCaught(m, () => executeBlock(m, tryBlock, scope), catchClause, scope)
  if (finallyBlock === undefined) return run()
  return whenSettled(m, catchThrown(run), node, (completion) => {
    const final = executeBlock(m, finallyBlock, scope)
    const all = mapCompletion(final, node, (one) => (one.type === 'normal' ? completion : one))
    if (all.type === 'throw') throw all.error
    return all
  })
}

function executeCaught(
  m: Machine,
  run: () => Completion,
  clause: ts.CatchClause,
  scope: Scope,
): Completion {
  /** Makes what follows an `await` in the block run inside of it, too. */
  const guardRest = (one: Completion): Completion => {
    if (one.type === 'suspend') {
      return resumed(one, (rest) => executeCaught(m, rest, clause, scope))
    }
    return one.type === 'mixed' ? { ...one, options: one.options.map(guardRest) } : one
  }
  const before = m.thrown.length
  const writes = m.journal.watch()
  m.tries.all++
  m.tries.inFunction++
  let completion: Completion
  try {
    completion = guardRest(catchThrown(run))
  } finally {
    m.tries.all--
    m.tries.inFunction--
    writes.stop()
  }
  const possible = m.thrown.splice(before)
  const [possibleError] = possible
  const afterBlock = (): Completion =>
    continueAfter(m, completion, 'throw', clause, ({ error }) =>
      executeCatch(m, clause, error, scope),
    )
  if (possibleError === undefined) return afterBlock()
  const afterPossible = (): Completion => {
    // It isn't known how far the block has come. Its additions to lists and objects are kept all the same: an application
    // that continues without them doesn't start with this artifact, and most only log what they catch.
    const isOfBranch = possible.some((one) => one.isOfBranch === true)
    const why = unknown('something before it may throw', clause)
    writes.spoil(why, isOfBranch ? 'variables' : 'late')
    return executeCatch(m, clause, possibleError, scope)
  }
  return m.fork([catching(m, afterBlock), catching(m, afterPossible)], clause)
}

function executeCatch(
  m: Machine,
  { variableDeclaration, block }: ts.CatchClause,
  error: Thrown,
  scope: Scope,
): Completion {
  const inner = scope.child()
  if (variableDeclaration !== undefined) {
    bind(m, variableDeclaration.name, error.value, inner, 'declare')
  }
  return executeBlock(m, block, inner)
}
