import { ts } from '../project.ts'
import { forkCompletions } from './forks.ts'
import { declareHoisted } from './hoisting.ts'
import { normal } from './machine.ts'
import type { Completion, Machine } from './machine.ts'
import { truth } from './conditions.ts'
import { binary } from './operators.ts'
import type { Scope } from './scope.ts'

/** From the matching clause on; every clause when the value or a case is not known. */
export function executeSwitch(m: Machine, node: ts.SwitchStatement, scope: Scope): Completion {
  const value = m.evaluate(node.expression, scope)
  const { clauses } = node.caseBlock
  const inner = scope.child()
  declareHoisted(
    m,
    clauses.flatMap((clause) => clause.statements),
    inner,
  )
  const runFrom = (start: number): Completion => {
    for (const clause of clauses.slice(start)) {
      const completion = m.execute(clause.statements, inner)
      if (completion.type === 'break' && completion.label === undefined) return normal
      if (completion.type !== 'normal') return completion
    }
    return normal
  }
  let start = clauses.findIndex(ts.isDefaultClause)
  for (const [index, clause] of clauses.entries()) {
    if (ts.isDefaultClause(clause)) continue
    const test = m.evaluate(clause.expression, inner)
    const matches = truth(m, binary(m, ts.SyntaxKind.EqualsEqualsEqualsToken, value, test, clause))
    if (matches === undefined) {
      const arms = clauses.map((_, from) => () => runFrom(from))
      if (start === -1) arms.push(() => normal)
      return forkCompletions(m, arms, node, scope)
    }
    if (matches) {
      start = index
      break
    }
  }
  return start === -1 ? normal : runFrom(start)
}
