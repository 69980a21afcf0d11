/** Assignments, `++` and `--`. */
import { ts } from '../project.ts'
import { accessorOf, toKey } from '../values/properties.ts'
import { binary, operate } from './operators.ts'
import { innerExpression, isMember, isSuper, keyOf, superOwner } from './member-access.ts'
import type { MemberExpression } from './member-access.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { assignPattern } from './patterns.ts'
import { primitive, undefinedValue, type Value } from '../values/index.ts'

export function isAssignment({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

export function evaluateAssignment(m: Machine, node: ts.BinaryExpression, scope: Scope): Value {
  const operator = (ts.tokenToString(node.operatorToken.kind) as string).slice(0, -1)
  let value: Value
  if (operator === '') {
    value = m.evaluate(node.right, scope)
    if (value.kind === 'function' && value.name === '' && ts.isIdentifier(node.left)) {
      value.name = node.left.text
    }
  } else {
    const before = m.evaluate(node.left, scope)
    value = operate(m, operator, before, () => m.evaluate(node.right, scope), node)
    // A logical operator that keeps the value writes nothing.
    if (value === before) return value
  }
  assignTo(m, node.left, value, scope)
  return value
}

type Unary = ts.PrefixUnaryExpression | ts.PostfixUnaryExpression

export function isUpdate(node: ts.Node): node is Unary {
  const isUnary = ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)
  const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind
  return isUnary && (node.operator === PlusPlusToken || node.operator === MinusMinusToken)
}

export function evaluateUpdate(m: Machine, node: Unary, scope: Scope): Value {
  const before = m.evaluate(node.operand, scope)
  const step = node.operator === ts.SyntaxKind.PlusPlusToken ? 1 : -1
  const after = binary(m, '+', before, primitive(step, node), node)
  assignTo(m, node.operand, after, scope)
  return ts.isPostfixUnaryExpression(node) ? before : after
}

/** Writes to a variable, a property, or to all targets of a destructuring pattern. */
export function assignTo(m: Machine, target: ts.Expression, value: Value, scope: Scope): void {
  const wrapped = innerExpression(target)
  if (ts.isIdentifier(target)) {
    const binding = scope.find(target.text)
    if (binding !== undefined) m.journal.setBinding(binding, value)
  } else if (isMember(target)) {
    if (isSuper(target)) assignToSuper(m, target, value, scope)
    else {
      const owner = m.evaluate(target.expression, scope)
      m.set(owner, keyOf(m, target, scope), value, target.parent)
    }
  } else if (ts.isArrayLiteralExpression(target) || ts.isObjectLiteralExpression(target)) {
    assignPattern(m, target, value, scope, (part, one) => assignTo(m, part, one, scope))
  } else if (wrapped !== undefined) {
    assignTo(m, wrapped, value, scope)
  }
}

/** `super.name = value` sets a property of `this`, unless the parent has a setter for it. */
function assignToSuper(m: Machine, target: MemberExpression, value: Value, scope: Scope): void {
  const { thisValue = undefinedValue } = scope.frame
  const owner = superOwner(scope.frame)
  const key = keyOf(m, target, scope)
  const setter =
    key.kind === 'primitive' ? owner && accessorOf(owner, toKey(key.value))?.setter : undefined
  if (setter === undefined) m.set(thisValue, key, value, target)
  else m.call(setter, thisValue, [value], target)
}
