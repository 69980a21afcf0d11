/** `try` statements. */
import type { ts } from '../project.ts'
import { mapCompletion, catching, catchThrown, continueAfter } from './completions.ts'
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
      : executeCaught(m, tryBlock, catchClause, scope)
  if (finallyBlock === undefined) return run()
  const completion = catchThrown(run)
  const final = executeBlock(m, finallyBlock, scope)
  const all = mapCompletion(final, node, (one) => (one.type === 'normal' ? completion : one))
  if (all.type === 'throw') throw all.error
  return all
}

function executeCaught(
  m: Machine,
  block: ts.Block,
  clause: ts.CatchClause,
  scope: Scope,
): Completion {
  const before = m.thrown.length
  const writes = m.journal.watch()
  m.tries.all++
  m.tries.inFunction++
  let completion: Completion
  try {
    completion = catchThrown(() => executeBlock(m, block, scope))
  } finally {
    m.tries.all--
    m.tries.inFunction--
    writes.stop()
  }
  const [possibleError] = m.thrown.splice(before)
  const afterBlock = (): Completion =>
    continueAfter(m, completion, 'throw', clause, ({ error }) =>
      executeCatch(m, clause, error, scope),
    )
  if (possibleError === undefined) return afterBlock()
  const afterPossible = (): Completion => {
    // It isn't known how far the block has come. Its additions to lists and objects are kept all the same: an application
    // that continues without them doesn't start with this artifact, and most only log what they catch.
    writes.spoil(unknown('something before it may throw', clause), 'variables')
    const declared = m.declarations.length
    try {
      return executeCatch(m, clause, possibleError, scope)
    } finally {
      for (const at of m.declarations.splice(declared)) {
        const why = 'it is declared in a `catch`, for what is thrown under a condition'
        m.report('AOT_ROUTE_NOT_STATIC', m.project.locate(at), 'existence', why)
      }
    }
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
