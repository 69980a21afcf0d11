/** `await` in async functions: the statement completes by suspending, and its rest runs as a job once the promise is settled. */
import { ts, type Node } from '../../util/source/project.ts'
import {
  attempt,
  awaitInPlace,
  newPromise,
  outcomeOf,
  react,
  reject,
  resolve,
  toPromise,
} from '../builtins/promises.ts'
import { branchOn, isNullish } from '../values/conditions.ts'
import type { Completion, Machine } from '../values/machine.ts'
import type { Frame, Scope } from '../values/scope.ts'
import { undefinedValue, type PromiseObject, type Value } from '../values/index.ts'
import { isAssignment } from './assignments.ts'
import { declareHoisted } from './hoisting.ts'
import { catching } from './completions.ts'
import { isMember } from './member-access.ts'

/** Runs the body of a function. */
export function runBody(m: Machine, body: ts.ConciseBody, scope: Scope): Completion {
  if (!ts.isBlock(body)) {
    const end = (): Completion => ({ type: 'return', value: m.evaluate(body, scope) })
    return awaiting(m, body, scope, end)
  }
  declareHoisted(m, body.statements, scope)
  return m.execute(body.statements, scope)
}

/** Calls an async function. */
export function callAsync(
  m: Machine,
  frame: Frame,
  run: () => Completion,
  at: Node,
): PromiseObject {
  const promise = newPromise(at)
  const step = (next: () => Completion): void => {
    frame.waitsUnder = m.branches.length
    attempt(m, promise, () => end(next()))
  }
  const end = (completion: Completion): void => {
    switch (completion.type) {
      case 'suspend': {
        const { promise: awaited, resume, at: place } = completion
        const take = (): Value => outcomeOf(m, awaited, place)
        react(m, awaited, () => step(() => resume(take)), place)
        return
      }
      case 'mixed':
        m.fork(
          completion.options.map((one) => () => end(one)),
          at,
          completion.key,
        )
        return
      case 'throw':
        reject(m, promise, completion.error)
        return
      default:
        resolve(m, promise, completion.type === 'return' ? completion.value : undefinedValue, at)
    }
  }
  step(run)
  return promise
}

/** Returns whether a statement can be left and continued later. */
export function canWait(m: Machine, { waitsUnder }: Frame): boolean {
  return waitsUnder === m.branches.length
}

/** Waits for a value, then goes on. */
export function suspend(
  m: Machine,
  frame: Frame,
  value: Value,
  at: Node,
  next: (value: Value) => Completion,
): Completion {
  if (!canWait(m, frame)) return next(awaitInPlace(m, value, at))
  const promise = toPromise(m, value, at)
  return { type: 'suspend', promise, at, resume: (take) => next(take()) }
}

type Early = ReadonlyMap<Node, Value>

/**
 * Evaluates what an expression awaits, and what JavaScript evaluates before that, then goes on. Expressions in which the place of an
 * `await` is unusual are left as they are: the scan waits there until the promise is settled.
 */
export function awaiting(
  m: Machine,
  node: ts.Expression | undefined,
  scope: Scope,
  next: () => Completion,
): Completion {
  const { frame } = scope
  if (node === undefined || !canWait(m, frame) || !hasAwait(node)) return next()
  const finish = (early: Early): Completion => withEarly(early, next)
  return prepare(node, new Map(), finish)

  function withEarly<T>(early: Early, run: () => T): T {
    const outer = frame.early
    frame.early = early
    try {
      return run()
    } finally {
      frame.early = outer
    }
  }

  function evaluateEarly(one: ts.Expression, early: Early): [Value, Early] {
    const value = withEarly(early, () => m.evaluate(one, scope))
    return [value, new Map([...early, [one, value]])]
  }

  function prepare(
    one: ts.Expression,
    early: Early,
    then: (early: Early) => Completion,
  ): Completion {
    if (!hasAwait(one)) return then(early)
    if (ts.isAwaitExpression(one)) {
      return prepare(one.expression, early, (inner) => {
        const value = withEarly(inner, () => m.evaluate(one.expression, scope))
        return suspend(m, frame, value, one, (result) => then(new Map([...early, [one, result]])))
      })
    }
    const branch = branchesOf(one)
    if (branch !== undefined) {
      return prepare(branch.condition, early, (inner) => {
        const [value, known] = evaluateEarly(branch.condition, inner)
        const take = catching(m, (outcome: boolean): Completion => {
          const taken = branch.take(outcome)
          return taken === undefined ? then(known) : prepare(taken, known, then)
        })
        return branchOn(m, value, one, take, branch.isNullish ? isNullish : undefined)
      })
    }
    const parts = partsOf(one)
    const last = parts.findLastIndex(hasAwait)
    const go = (index: number, known: Early): Completion => {
      const part = parts[index]
      if (part === undefined || index > last) return then(known)
      return prepare(part, known, (inner) =>
        index === last ? then(inner) : go(index + 1, evaluateEarly(part, inner)[1]),
      )
    }
    return go(0, early)
  }
}

interface Branches {
  readonly condition: ts.Expression
  readonly isNullish?: boolean
  take(outcome: boolean): ts.Expression | undefined
}

function branchesOf(node: ts.Expression): Branches | undefined {
  if (ts.isConditionalExpression(node)) {
    const take = (outcome: boolean): ts.Expression => (outcome ? node.whenTrue : node.whenFalse)
    return { condition: node.condition, take }
  }
  if (!ts.isBinaryExpression(node)) return undefined
  const { left, right, operatorToken } = node
  const { AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken } = ts.SyntaxKind
  const { kind } = operatorToken
  if (kind === AmpersandAmpersandToken)
    return { condition: left, take: (outcome) => (outcome ? right : undefined) }
  if (kind === BarBarToken)
    return { condition: left, take: (outcome) => (outcome ? undefined : right) }
  if (kind === QuestionQuestionToken)
    return { condition: left, isNullish: true, take: (outcome) => (outcome ? right : undefined) }
  return undefined
}

/** Returns the parts of an expression in the order in which they are evaluated; none where the place of an `await` is unusual. */
function partsOf(node: ts.Expression): ts.Expression[] {
  if ((node.flags & ts.NodeFlags.OptionalChain) !== 0 || ts.isYieldExpression(node)) return []
  const parts: ts.Expression[] = []
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node)
  const isAssigned = ts.isBinaryExpression(node) && isAssignment(node)
  const visit = (child: Node): void => {
    const isTarget = (isCall && child === node.expression) || (isAssigned && child === node.left)
    // The names of properties aren't evaluated, and the object of a method is evaluated before the arguments.
    if (ts.isPropertyAssignment(child) && !ts.isComputedPropertyName(child.name)) {
      visit(child.initializer)
    } else if (
      isTarget &&
      isMember(child) &&
      child.expression.kind !== ts.SyntaxKind.SuperKeyword
    ) {
      parts.push(child.expression)
      if (ts.isElementAccessExpression(child)) parts.push(child.argumentExpression)
      if (isAssigned && node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) parts.push(child)
    } else if (isTarget && isAssigned && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      // A variable or a pattern is written after the value is known.
    } else if (ts.isExpression(child) && !ts.isSpreadElement(child)) parts.push(child)
    else if (!ts.isTypeNode(child) && !ts.isFunctionLike(child)) ts.forEachChild(child, visit)
  }
  if (isMember(node)) visit(node.expression)
  else ts.forEachChild(node, visit)
  if (ts.isElementAccessExpression(node)) visit(node.argumentExpression)
  return parts
}

const awaits = new WeakMap<Node, boolean>()

/** Returns whether a function waits in this part of its own code. */
export function hasAwait(node: Node): boolean {
  if (ts.isAwaitExpression(node)) return true
  if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return false
  let result = awaits.get(node)
  if (result === undefined) {
    result = ts.forEachChild(node, hasAwait) ?? false
    awaits.set(node, result)
  }
  return result
}
