/** Loops. They are unrolled while their conditions are known. */
import {
  isIterator,
  leaveEarly,
  partsOf,
  overElements,
  start,
  walk,
  walkNames,
} from '../builtins/lists/iteration.ts'
import type { Position, Walk } from '../builtins/lists/iteration.ts'
import { ts, type Node } from '../../util/source/project.ts'
import { suspend } from './awaits.ts'
import { assignTo, isAssignment, isUpdate } from './assignments.ts'
import { isVar, namesOf } from './hoisting.ts'
import { isMember } from './member-access.ts'
import { bind, declareVariables } from './patterns.ts'
import { mapCompletion, catching, catchThrown, continueAfter, whenSettled } from './completions.ts'
import { normal, type Completion, type Machine } from '../values/machine.ts'
import { branchOn, truthOf, distribute, isOptional } from '../values/conditions.ts'
import type { Scope } from '../values/scope.ts'
import { unknownFrom, primitive, unknown, type Unknown, type Value } from '../values/index.ts'

/** After more rounds, the number of rounds counts as unknown. */
const maxRounds = 20_000

/** The same for `while (true)` in a generator: the scan doesn't stop when enough values are read. */
const maxEndlessRounds = 30

/** Runs `for (… of …)` and `for (… in …)`. */
export function executeForEach(m: Machine, node: ts.ForInOrOfStatement, scope: Scope): Completion {
  const run = (value: Value): Completion => {
    if (ts.isForInStatement(node)) {
      return runRounds(m, node, walkNames(m, value, node.expression), undefined, scope)
    }
    const { uncertainty, elements } = partsOf(m, value, node)
    if (uncertainty !== undefined && elements.length > 0) {
      return runRounds(m, node, overElements({ elements }), uncertainty, scope)
    }
    const all = (): Completion =>
      runRounds(m, node, walk(m, value, node.expression), undefined, scope)
    if (!isIterator(value)) return all()
    return whenSettled(m, catchThrown(all), node, (completion) => {
      leaveEarly(m, value)
      if (completion.type === 'throw') throw completion.error
      return completion
    })
  }
  const value = m.evaluate(node.expression, scope)
  const completion = distribute(m, value, node, catching(m, run))
  // In a generator, the loop has read it up to here.
  m.generators.readDeeply(value)
  return completion
}

function runRounds(
  m: Machine,
  node: ts.ForInOrOfStatement,
  over: Walk | Unknown,
  uncertainty: Unknown | undefined,
  scope: Scope,
): Completion {
  if (typeof over !== 'function') return unknownRounds(over)
  return without('break', roundsFrom(over, start), node)

  function roundsFrom(each: Walk, first: Position): Completion {
    for (let step = each(first); step !== undefined; step = each(step.next)) {
      const { item, next } = step
      if (next.index > maxRounds) {
        return unknownRounds(unknown('the number of rounds of this loop is not known', node))
      }
      // The loop itself has added this element, under a condition.
      if (isOptional(item)) return unknownRounds(unknown('the list depends on a condition', node))
      const isWaiting = ts.isForOfStatement(node) && node.awaitModifier !== undefined
      const run = (): Completion =>
        !isWaiting
          ? round(m, node, item, scope)
          : suspend(m, scope.frame, item, node, (value) => round(m, node, value, scope))
      // An element of an uncertain list may be missing.
      const completion =
        uncertainty === undefined ? run() : m.fork([catching(m, run), () => normal], node)
      if (completion.type !== 'normal') {
        return continueAfter(m, completion, 'normal', node, () => roundsFrom(each, next))
      }
    }
    return normal
  }

  function unknownRounds(why: Unknown): Completion {
    return repeat(m, node, scope, why, () => round(m, node, why, scope))
  }
}

/** Runs a body an unknown number of times: its declarations are seen, its writes become unknown. */
function repeat(
  m: Machine,
  node: ts.IterationStatement,
  scope: Scope,
  why: Unknown,
  run: () => Completion,
): Completion {
  const cause = unknownFrom(why, node)
  for (const name of assignedIn(node.statement)) {
    const binding = scope.find(name)
    // Later rounds see the writes of earlier ones.
    if (binding?.value !== undefined) m.journal.setBinding(binding, cause)
  }
  // Its writes are collected to the last, so it can't wait.
  const { frame } = scope
  const { waitsUnder } = frame
  frame.waitsUnder = undefined
  const completion = m.journal.repeat(() => m.fork([catching(m, run), () => normal], node), cause)
  frame.waitsUnder = waitsUnder
  const known = without('break', completion, node)
  return mapCompletion(known, node, (one) =>
    one.type === 'return' ? { type: 'return', value: cause } : one,
  )
}

function assignedIn(body: Node): Set<string> {
  const names = new Set<string>()
  const visit = (node: Node): void => {
    let target: Node | undefined
    if (ts.isBinaryExpression(node) && isAssignment(node)) target = node.left
    else if (isUpdate(node)) target = node.operand
    else if (ts.isForInStatement(node) || ts.isForOfStatement(node)) target = node.initializer
    if (target !== undefined) addNames(target)
    ts.forEachChild(node, visit)
  }
  // A pattern has names of properties as well: too many are better than too few.
  const addNames = (target: Node): void => {
    if (ts.isIdentifier(target)) names.add(target.text)
    else if (!isMember(target) && !ts.isVariableDeclarationList(target))
      ts.forEachChild(target, addNames)
  }
  visit(body)
  return names
}

function round(m: Machine, node: ts.ForInOrOfStatement, item: Value, scope: Scope): Completion {
  const inner = scope.child()
  const { initializer } = node
  if (ts.isVariableDeclarationList(initializer)) {
    const [declaration] = initializer.declarations
    if (declaration !== undefined) {
      bind(m, declaration.name, item, inner, isVar(initializer) ? 'assign' : 'declare')
    }
  } else {
    assignTo(m, initializer, item, inner)
  }
  return without('continue', m.executeOne(node.statement, inner), node)
}

export function executeFor(m: Machine, node: ts.ForStatement, scope: Scope): Completion {
  const first = scope.child()
  const { initializer, condition, incrementor } = node
  const counters: string[] = []
  if (initializer !== undefined && ts.isVariableDeclarationList(initializer)) {
    declareVariables(m, initializer, first)
    if (!isVar(initializer))
      counters.push(...initializer.declarations.flatMap(({ name }) => namesOf(name)))
  } else if (initializer !== undefined) m.evaluate(initializer, first)
  return loop(m, node, first, {
    condition: (inner) =>
      condition === undefined ? primitive(true, node) : m.evaluate(condition, inner),
    next: (inner) => {
      // Each round has variables of its own, which closures keep.
      const next = scope.child()
      for (const name of counters) next.declare(name, inner.own(name)?.value)
      if (incrementor !== undefined) m.evaluate(incrementor, next)
      return next
    },
  })
}

export function executeWhile(
  m: Machine,
  node: ts.WhileStatement | ts.DoStatement,
  scope: Scope,
): Completion {
  const steps: Steps = {
    condition: () => m.evaluate(node.expression, scope),
    next: () => scope,
  }
  if (!ts.isDoStatement(node)) return loop(m, node, scope, steps)
  const first = without('continue', m.executeOne(node.statement, scope), node)
  const rest = continueAfter(m, first, 'normal', node, () => loop(m, node, scope, steps))
  return without('break', rest, node)
}

interface Steps {
  readonly condition: (scope: Scope) => Value
  /** Returns the scope of the next round. */
  readonly next: (scope: Scope) => Scope
}

/** Unknown conditions that a loop may evaluate before its number of rounds counts as unknown. */
const maxForks = 6

/** Conditional `break`s and the like that are followed before the number of rounds counts as unknown. */
const maxExits = 100

type Loop = ts.ForStatement | ts.WhileStatement | ts.DoStatement

function loop(m: Machine, node: Loop, scope: Scope, steps: Steps): Completion {
  const most = scope.frame.yields !== undefined && isEndless(node) ? maxEndlessRounds : maxRounds
  return without('break', rounds(scope, 0), node)

  function rounds(start: Scope, forks: number): Completion {
    let current = start
    for (let count = 0; ; count++) {
      const here = current
      const run = (): Completion => without('continue', m.executeOne(node.statement, here), node)
      const goOn = (completion: Completion): Completion =>
        continueAfter(m, completion, 'normal', node, () => rounds(steps.next(here), forks + 1))
      const condition = steps.condition(here)
      const outcome = truthOf(m, condition)
      if (outcome === false) return normal
      if (forks >= (outcome === undefined ? maxForks : maxExits) || count > most) {
        const why = unknown('the number of rounds of this loop is not known', node)
        return repeat(m, node, here, why, run)
      }
      if (outcome === undefined) {
        const take = (isTrue: boolean): Completion => (isTrue ? goOn(run()) : normal)
        return branchOn(m, condition, node, catching(m, take))
      }
      const completion = run()
      if (completion.type !== 'normal') return goOn(completion)
      current = steps.next(here)
    }
  }
}

function isEndless(node: Loop): boolean {
  const condition = ts.isForStatement(node) ? node.condition : node.expression
  return condition === undefined || condition.kind === ts.SyntaxKind.TrueKeyword
}

/** Turns a `continue` or `break` of this loop into a normal completion. */
function without(type: 'break' | 'continue', completion: Completion, loop: Node): Completion {
  const { parent } = loop
  const label = ts.isLabeledStatement(parent) ? parent.label.text : undefined
  return mapCompletion(completion, loop, (one) =>
    one.type === type && (one.label === undefined || one.label === label) ? normal : one,
  )
}
