/** Expressions that name a property: `owner.name`, `owner[key]` and `super.name`. */
import { ts } from '../../util/source/project.ts'
import { memberName } from '../values/properties.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { thrownError } from '../values/thrown.ts'
import { isGiven, undefinedValue, unknown, type Value } from '../values/index.ts'

export type MemberExpression = ts.PropertyAccessExpression | ts.ElementAccessExpression

export function isMember(node: ts.Node): node is MemberExpression {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
}

export function isSuper({ expression }: MemberExpression): boolean {
  return expression.kind === ts.SyntaxKind.SuperKeyword
}

export function keyOf(m: Machine, node: MemberExpression, scope: Scope): Value {
  return ts.isPropertyAccessExpression(node)
    ? memberName(node.name)
    : m.evaluate(node.argumentExpression, scope)
}

export function evaluateMember(m: Machine, node: MemberExpression, scope: Scope): Value {
  if (isSuper(node)) return superMember(m, keyOf(m, node, scope), node, scope)
  const owner = m.evaluate(node.expression, scope)
  if (endsChain(node, owner)) return undefinedValue
  return readMember(m, owner, keyOf(m, node, scope), node)
}

/** Returns the object in which `super.name` is looked up. */
export function superOwner({ home, isStatic }: Scope['frame']): Value | undefined {
  const parent = home?.parent
  return isStatic || parent?.kind !== 'class' ? parent : parent.prototype
}

export function superMember(m: Machine, key: Value, node: ts.Node, scope: Scope): Value {
  const owner = superOwner(scope.frame)
  if (owner === undefined) return unknown('`super` is used outside of a class', node)
  return m.get(owner, key, node, scope.frame.thisValue)
}

/** Reads `owner[key]`. Properties of `undefined` and `null` throw, except under an unknown condition: the application may never get there. */
export function readMember(m: Machine, owner: Value, key: Value, at: ts.Node): Value {
  if (isGiven(owner) || m.branches.length > 0) return m.get(owner, key, at)
  const [of, name] = [owner, m.known(key)].map((one) =>
    one.kind === 'primitive' ? String(one.value) : 'a property',
  )
  throw thrownError('TypeError', `Cannot read properties of ${of} (reading '${name}')`, at)
}

/** Returns whether `a?.b.c` ends here because `value` is `undefined` or `null`. */
export function endsChain(node: ts.Node, value: Value): boolean {
  return (node.flags & ts.NodeFlags.OptionalChain) !== 0 && !isGiven(value)
}

/** Returns the expression inside parentheses or type syntax; `undefined` if there is none. */
export function innerExpression(node: ts.Expression): ts.Expression | undefined {
  const isWrapper =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isExpressionWithTypeArguments(node)
  return isWrapper ? node.expression : undefined
}
