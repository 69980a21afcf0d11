import type { ts } from '../project.ts'
import { mapCompletion } from '../values/completions.ts'
import { after, forkCompletions } from './forks.ts'
import { executeBlock } from './hoisting.ts'
import type { Completion, Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { Exit, Thrown } from '../values/thrown.ts'
import { unknown } from '../values/index.ts'

export function executeTry(m: Machine, node: ts.TryStatement, scope: Scope): Completion {
  const { tryBlock, catchClause, finallyBlock } = node
  const run = (): Completion =>
    catchClause === undefined
      ? executeBlock(m, tryBlock, scope)
      : executeCaught(m, tryBlock, catchClause, scope)
  if (finallyBlock === undefined) return run()
  let completion: Completion
  try {
    completion = run()
  } catch (error) {
    if (!(error instanceof Thrown) || error instanceof Exit) throw error
    completion = { type: 'throw', error }
  }
  const last = executeBlock(m, finallyBlock, scope)
  const all = mapCompletion(last, node, (one) => (one.type === 'normal' ? completion : one))
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
  let completion: Completion
  m.tries.all++
  m.tries.own++
  try {
    completion = executeBlock(m, block, scope)
  } catch (error) {
    if (!(error instanceof Thrown) || error instanceof Exit) throw error
    completion = { type: 'throw', error }
  } finally {
    m.tries.all--
    m.tries.own--
    writes.stop()
  }
  const [hidden] = m.thrown.splice(before)
  const caught = (): Completion =>
    after(
      m,
      completion,
      clause,
      (one) => one.type === 'throw',
      (one) => (one.type === 'throw' ? executeCatch(m, clause, one.error, scope) : one),
    )
  if (hidden === undefined) return caught()
  const surprised = (): Completion => {
    // Nobody knows how far the block has come. What it adds to lists and objects is taken to be there all the same:
    // an application that goes on without it does not start with this artifact, and most only log what they catch.
    writes.spoil(unknown('something before it may throw', clause), 'variables')
    const known = m.declarations.length
    try {
      return executeCatch(m, clause, hidden, scope)
    } finally {
      for (const at of m.declarations.splice(known)) {
        const why = 'it is declared in a `catch`, for what is thrown under a condition'
        m.report('AOT_ROUTE_NOT_STATIC', m.project.locate(at), 'existence', why)
      }
    }
  }
  return forkCompletions(m, [caught, surprised], clause)
}

function executeCatch(
  m: Machine,
  { variableDeclaration, block }: ts.CatchClause,
  error: Thrown,
  scope: Scope,
): Completion {
  const inner = scope.child()
  if (variableDeclaration !== undefined) {
    m.bind(variableDeclaration.name, error.value, inner, 'declare')
  }
  return executeBlock(m, block, inner)
}
