import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { assignTo } from './assignments.ts'
import { forkCompletions } from './forks.ts'
import { normal } from './machine.ts'
import type { Completion, Machine } from './machine.ts'
import { truth } from './conditions.ts'
import type { Scope } from './scope.ts'
import type { Value } from './values.ts'

/** A loop whose end cannot be seen stops here. */
const maxRounds = 20_000

export function executeForOf(m: Machine, node: ts.ForOfStatement, scope: Scope): Completion {
  const items = m.iterate(m.evaluate(node.expression, scope), node.expression)
  if (!Array.isArray(items)) {
    // How often it runs is not known; what the body declares must be seen all the same.
    return forkCompletions(
      m,
      [() => round(m, node, items, scope).completion, () => normal],
      node,
      scope,
    )
  }
  for (const item of items) {
    const { completion, ends } = round(m, node, item, scope)
    if (ends) return completion
  }
  return normal
}

export function executeForIn(m: Machine, node: ts.ForInStatement, scope: Scope): Completion {
  const keys = m.keys(m.evaluate(node.expression, scope), node.expression)
  if (!Array.isArray(keys)) {
    return forkCompletions(
      m,
      [() => round(m, node, keys, scope).completion, () => normal],
      node,
      scope,
    )
  }
  for (const key of keys) {
    const { completion, ends } = round(m, node, key, scope)
    if (ends) return completion
  }
  return normal
}

function round(
  m: Machine,
  node: ts.ForInOrOfStatement,
  item: Value,
  scope: Scope,
): { completion: Completion; ends: boolean } {
  const inner = scope.child()
  const { initializer } = node
  if (ts.isVariableDeclarationList(initializer)) {
    const [declaration] = initializer.declarations
    const isVar = (initializer.flags & ts.NodeFlags.BlockScoped) === 0
    if (declaration !== undefined) {
      m.bind(declaration.name, item, inner, isVar ? 'assign' : 'declare')
    }
  } else {
    assignTo(m, initializer, item, inner)
  }
  return endOf(m.executeOne(node.statement, inner), node)
}

export function executeFor(m: Machine, node: ts.ForStatement, scope: Scope): Completion {
  let inner = scope.child()
  const { initializer, condition, incrementor } = node
  const counters: string[] = []
  if (initializer !== undefined) {
    if (ts.isVariableDeclarationList(initializer)) {
      const isVar = (initializer.flags & ts.NodeFlags.BlockScoped) === 0
      for (const { name, initializer: value } of initializer.declarations) {
        if (value === undefined) continue
        m.bind(name, m.evaluate(value, inner), inner, isVar ? 'assign' : 'declare')
        if (!isVar && ts.isIdentifier(name)) counters.push(name.text)
      }
    } else {
      m.evaluate(initializer, inner)
    }
  }
  for (let rounds = 0; ; rounds++) {
    const goesOn = condition === undefined ? true : truth(m, m.evaluate(condition, inner))
    if (goesOn === false) return normal
    if (goesOn === undefined || rounds > maxRounds) {
      return forkCompletions(
        m,
        [() => m.executeOne(node.statement, inner), () => normal],
        node,
        scope,
      )
    }
    const { completion, ends } = endOf(m.executeOne(node.statement, inner), node)
    if (ends) return completion
    // Each round has variables of its own, which closures keep.
    const next = scope.child()
    for (const name of counters) next.declare(name, inner.own(name)?.value)
    inner = next
    if (incrementor !== undefined) m.evaluate(incrementor, inner)
  }
}

export function executeWhile(
  m: Machine,
  node: ts.WhileStatement | ts.DoStatement,
  scope: Scope,
): Completion {
  const asks = (): boolean | undefined => truth(m, m.evaluate(node.expression, scope))
  let goesOn = ts.isDoStatement(node) ? true : asks()
  for (let rounds = 0; goesOn !== false; rounds++) {
    if (goesOn === undefined || rounds > maxRounds) {
      return forkCompletions(
        m,
        [() => m.executeOne(node.statement, scope), () => normal],
        node,
        scope,
      )
    }
    const { completion, ends } = endOf(m.executeOne(node.statement, scope), node)
    if (ends) return completion
    goesOn = asks()
  }
  return normal
}

function endOf(completion: Completion, loop: Node): { completion: Completion; ends: boolean } {
  if (completion.type === 'normal') return { completion, ends: false }
  if (completion.type === 'return') return { completion, ends: true }
  const label = ts.isLabeledStatement(loop.parent) ? loop.parent.label.text : undefined
  const isOwn = completion.label === undefined || completion.label === label
  if (!isOwn) return { completion, ends: true }
  return { completion: normal, ends: completion.type === 'break' }
}
