import { ts } from '../project.ts'
import { mapCompletion } from '../values/completions.ts'
import { whether } from '../values/conditions.ts'
import { forkCompletions } from './forks.ts'
import { declareHoistedOfBlock } from './hoisting.ts'
import { normal } from '../values/machine.ts'
import type { Completion, Machine } from '../values/machine.ts'
import { binary } from './operators.ts'
import type { Scope } from '../values/scope.ts'

/** From the first clause on that matches; from each that may match when that is not known. */
export function executeSwitch(m: Machine, node: ts.SwitchStatement, scope: Scope): Completion {
  const value = m.evaluate(node.expression, scope)
  const { clauses } = node.caseBlock
  const inner = scope.child()
  declareHoistedOfBlock(
    m,
    clauses.flatMap((clause) => clause.statements),
    inner,
  )
  const completion = test(0)
  return mapCompletion(completion, node, (one) =>
    one.type === 'break' && one.label === undefined ? normal : one,
  )

  function test(index: number): Completion {
    const clause = clauses[index]
    if (clause === undefined) {
      const start = clauses.findIndex(ts.isDefaultClause)
      return start === -1 ? normal : runFrom(start)
    }
    if (ts.isDefaultClause(clause)) return test(index + 1)
    const wanted = m.evaluate(clause.expression, inner)
    const matches = binary(m, ts.SyntaxKind.EqualsEqualsEqualsToken, value, wanted, clause)
    const take = (outcome: boolean): Completion => (outcome ? runFrom(index) : test(index + 1))
    return whether(m, matches, take, (arms, key) => forkCompletions(m, arms, clause, key))
  }

  function runFrom(start: number): Completion {
    return m.execute(
      clauses.slice(start).flatMap((clause) => clause.statements),
      inner,
    )
  }
}
