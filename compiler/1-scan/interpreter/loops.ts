import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { assignTo } from './assignments.ts'
import { forkCompletions } from './forks.ts'
import { normal } from './machine.ts'
import type { Completion, Machine } from './machine.ts'
import { truth, whether } from './conditions.ts'
import { bounded, split } from './distribution.ts'
import type { Scope } from './scope.ts'
import { blame, primitive, unknown } from './values.ts'
import type { Unknown, Value } from './values.ts'

/** A loop whose end cannot be seen stops here. */
const maxRounds = 20_000

export function executeForOf(m: Machine, node: ts.ForOfStatement, scope: Scope): Completion {
  return overEach(m, m.evaluate(node.expression, scope), node, scope, (value) => {
    const doubt = value.kind === 'array' ? value.doubt : undefined
    const isSuperset = value.kind === 'array' && doubt !== undefined && value.elements.length > 0
    const items = isSuperset ? value.elements : m.iterate(value, node.expression)
    return runRounds(m, node, items, doubt, scope)
  })
}

export function executeForIn(m: Machine, node: ts.ForInStatement, scope: Scope): Completion {
  return overEach(m, m.evaluate(node.expression, scope), node, scope, (value) =>
    runRounds(m, node, m.keys(value, node.expression), undefined, scope),
  )
}

/** The loop over each of the lists that a value may be. */
function overEach(
  m: Machine,
  given: Value,
  node: ts.Statement,
  scope: Scope,
  run: (value: Value) => Completion,
): Completion {
  const value = bounded(m, given)
  const several = split(m, value)
  if (several === undefined) return run(value)
  const { key, take } = several
  const arms = Array.from(
    { length: key.count },
    (_, arm) => () => overEach(m, take(arm), node, scope, run),
  )
  const taken = m.arms.findLast(({ site }) => site === key)
  const only = taken === undefined ? undefined : arms[taken.arm]
  return only === undefined ? forkCompletions(m, arms, node, scope, key) : only()
}

function runRounds(
  m: Machine,
  node: ts.ForInOrOfStatement,
  items: Value[] | Unknown,
  doubt: Unknown | undefined,
  scope: Scope,
): Completion {
  if (!Array.isArray(items))
    return repeat(m, node, scope, items, () => round(m, node, items, scope).completion)
  for (const item of items) {
    if (doubt !== undefined) {
      // Each of them may be missing.
      forkCompletions(m, [() => round(m, node, item, scope).completion, () => normal], node, scope)
      continue
    }
    const { completion, ends } = round(m, node, item, scope)
    if (ends) return completion
  }
  return normal
}

/** A body that runs nobody knows how often: what it declares is seen, what it writes is not known. */
function repeat(
  m: Machine,
  node: ts.Statement,
  scope: Scope,
  why: Unknown,
  run: () => Completion,
): Completion {
  m.journal.repeat(
    () => void forkCompletions(m, [run, () => normal], node, scope),
    blame(why, node),
  )
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
  return loop(m, node, scope, {
    asks: () => (condition === undefined ? primitive(true, node) : m.evaluate(condition, inner)),
    run: () => m.executeOne(node.statement, inner),
    next: () => {
      // Each round has variables of its own, which closures keep.
      const next = scope.child()
      for (const name of counters) next.declare(name, inner.own(name)?.value)
      inner = next
      if (incrementor !== undefined) m.evaluate(incrementor, inner)
    },
  })
}

export function executeWhile(
  m: Machine,
  node: ts.WhileStatement | ts.DoStatement,
  scope: Scope,
): Completion {
  const asks = (): Value => m.evaluate(node.expression, scope)
  const run = (): Completion => m.executeOne(node.statement, scope)
  const steps = { asks, run, next: () => undefined }
  if (!ts.isDoStatement(node)) return loop(m, node, scope, steps)
  const { completion, ends } = endOf(run(), node)
  return ends ? completion : loop(m, node, scope, steps)
}

interface Steps {
  readonly asks: () => Value
  readonly run: () => Completion
  readonly next: () => void
}

/** How often a loop may ask something that depends on the run, before it counts as not known. */
const maxForks = 6

function loop(
  m: Machine,
  node: ts.IterationStatement,
  scope: Scope,
  steps: Steps,
  forks = 0,
): Completion {
  const goOn = (outcome: boolean): Completion => {
    if (!outcome) return normal
    const { completion, ends } = endOf(steps.run(), node)
    if (ends) return completion
    steps.next()
    return loop(m, node, scope, steps, forks + 1)
  }
  for (let rounds = 0; ; rounds++) {
    const condition = steps.asks()
    const goesOn = truth(m, condition)
    if (goesOn === false) return normal
    if (goesOn === undefined && forks < maxForks) {
      return whether(m, condition, goOn, (arms, key) => forkCompletions(m, arms, node, scope, key))
    }
    if (goesOn === undefined || rounds > maxRounds) {
      const why = unknown('how often this loop runs is not known', node)
      return repeat(m, node, scope, why, steps.run)
    }
    const { completion, ends } = endOf(steps.run(), node)
    if (ends) return completion
    steps.next()
  }
}

function endOf(completion: Completion, loop: Node): { completion: Completion; ends: boolean } {
  if (completion.type === 'normal') return { completion, ends: false }
  if (completion.type === 'return') return { completion, ends: true }
  const label = ts.isLabeledStatement(loop.parent) ? loop.parent.label.text : undefined
  const isOwn = completion.label === undefined || completion.label === label
  if (!isOwn) return { completion, ends: true }
  return { completion: normal, ends: completion.type === 'break' }
}
