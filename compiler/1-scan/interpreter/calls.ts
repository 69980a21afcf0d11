import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { initializeFields, initializeParent } from './classes.ts'
import { isChained, isNullish, readMember, superMember } from './chains.ts'
import { distributeChoice, isOptional } from '../values/distribution.ts'
import { memberName } from '../values/names.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { optionsOf, undefinedValue, unknown } from '../values/index.ts'
import type { Value } from '../values/index.ts'

export function evaluateCall(m: Machine, node: ts.CallExpression, scope: Scope): Value {
  const target = withoutTypes(node.expression)
  if (target.kind === ts.SyntaxKind.ImportKeyword) return evaluateImport(m, node, scope)
  if (target.kind === ts.SyntaxKind.SuperKeyword) return evaluateSuperCall(m, node, scope)
  if (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target)) {
    return evaluateMethodCall(m, node, target, scope)
  }
  const callee = m.evaluate(node.expression, scope)
  if (isChained(node) && isNullish(callee)) return undefinedValue
  return m.call(callee, undefinedValue, evaluateArguments(m, node, scope), node)
}

function evaluateMethodCall(
  m: Machine,
  node: ts.CallExpression,
  target: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  scope: Scope,
): Value {
  const isSuper = target.expression.kind === ts.SyntaxKind.SuperKeyword
  const owner = isSuper
    ? (scope.frame.thisValue ?? undefinedValue)
    : m.evaluate(target.expression, scope)
  if (isChained(node) && isNullish(owner)) return undefinedValue
  const key = ts.isPropertyAccessExpression(target)
    ? memberName(target.name)
    : m.evaluate(target.argumentExpression, scope)
  if (!isSuper && owner.kind === 'choice') {
    const args = evaluateArguments(m, node, scope)
    return distributeChoice(m, owner, node, (one) => callMethod(m, one, key, args, node, target))
  }
  if (owner.kind === 'deferred') {
    return m.outside.callMethod(owner, key, evaluateArguments(m, node, scope), node)
  }
  const callee = isSuper ? superMember(m, key, target, scope) : readMember(m, owner, key, target)
  if (isChained(node) && isNullish(callee)) return undefinedValue
  reportUnknownMethod(m, owner, key, callee, target)
  return m.call(callee, owner, evaluateArguments(m, node, scope), node)
}

function callMethod(
  m: Machine,
  owner: Value,
  key: Value,
  args: Value[],
  node: ts.CallExpression,
  target: ts.Node,
): Value {
  if (isChained(node) && isNullish(owner)) return undefinedValue
  if (owner.kind === 'deferred') return m.outside.callMethod(owner, key, args, node)
  const callee = m.get(owner, key, target)
  if (isChained(node) && isNullish(callee)) return undefinedValue
  reportUnknownMethod(m, owner, key, callee, target)
  return m.call(callee, owner, args, node)
}

/** `app[method](…)` with a name that is not known may declare a route. */
function reportUnknownMethod(m: Machine, owner: Value, key: Value, callee: Value, at: Node): void {
  if (owner.kind !== 'instance' || key.kind === 'primitive') return
  for (const one of optionsOf(callee)) {
    if (one.kind === 'unknown') {
      m.reportUnknown('AOT_ROUTE_NOT_STATIC', at, { ...one, at }, 'method', one.why)
    }
  }
}

/** The arguments of a call; a list that is spread with optional elements counts as not known. */
function evaluateArguments(
  m: Machine,
  node: ts.CallExpression | ts.NewExpression,
  scope: Scope,
): Value[] {
  const result: Value[] = []
  for (const argument of node.arguments ?? []) {
    if (!ts.isSpreadElement(argument)) {
      result.push(m.evaluate(argument, scope))
      continue
    }
    const spread = m.evaluate(argument.expression, scope)
    const items = m.iterate(spread, argument)
    const isOpen = spread.kind === 'array' && spread.elements.some(isOptional)
    if (!Array.isArray(items)) result.push(items)
    else if (isOpen)
      result.push(unknown('how many arguments there are depends on a condition', argument))
    else result.push(...items)
  }
  return result
}

function evaluateImport(m: Machine, node: ts.CallExpression, scope: Scope): Value {
  const argument = node.arguments[0]
  const specifier = argument === undefined ? undefinedValue : m.known(m.evaluate(argument, scope))
  return m.modules.importDynamically(specifier, scope.file, node)
}

function evaluateSuperCall(m: Machine, node: ts.CallExpression, scope: Scope): Value {
  const { home, thisValue } = scope.frame
  if (home === undefined || thisValue?.kind !== 'object') {
    return unknown('`super()` is called outside of a constructor', node)
  }
  initializeParent(m, home, thisValue, evaluateArguments(m, node, scope), node)
  initializeFields(m, home, thisValue)
  return thisValue
}

export function evaluateNew(m: Machine, node: ts.NewExpression, scope: Scope): Value {
  const callee = m.evaluate(node.expression, scope)
  return m.construct(callee, evaluateArguments(m, node, scope), node)
}

/** `(target as Type)!`: what is called, without what only TypeScript reads. */
function withoutTypes(node: ts.Expression): ts.Expression {
  const isWrapper =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isTypeAssertionExpression(node)
  return isWrapper ? withoutTypes(node.expression) : node
}
