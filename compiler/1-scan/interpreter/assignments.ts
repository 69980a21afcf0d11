/** Assignments, `++` and `--`. */
import { ts } from '../../util/source/project.ts'
import { accessorOf, toKey } from '../values/properties.ts'
import { binary, operate } from './operators.ts'
import {
  innerExpression,
  isMember,
  isSuper,
  keyOf,
  readMember,
  superOwner,
} from './member-access.ts'
import type { MemberExpression } from './member-access.ts'
import { refine } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { assignPattern } from './patterns.ts'
import { undefinedValue, type Value } from '../values/index.ts'

export function isAssignment({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

export function evaluateAssignment(m: Machine, node: ts.BinaryExpression, scope: Scope): Value {
  const operator = (ts.tokenToString(node.operatorToken.kind) as string).slice(0, -1)
  const { read, write } = referenceTo(m, node.left, scope)
  let value: Value
  if (operator === '') {
    value = m.evaluate(node.right, scope)
    if ((value.kind === 'function' || value.kind === 'class') && value.name === '') {
      if (ts.isIdentifier(node.left)) value.name = node.left.text
    }
  } else {
    const before = read()
    value = operate(m, operator, before, () => m.evaluate(node.right, scope), node)
    // A logical operator that keeps the value writes nothing.
    if (value === before) return value
  }
  write(value)
  return value
}

type Unary = ts.PrefixUnaryExpression | ts.PostfixUnaryExpression

export function isUpdate(node: ts.Node): node is Unary {
  const isUnary = ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)
  const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind
  return isUnary && (node.operator === PlusPlusToken || node.operator === MinusMinusToken)
}

export function evaluateUpdate(m: Machine, node: Unary, scope: Scope): Value {
  const { read, write } = referenceTo(m, node.operand, scope)
  const before = read()
  const apply = (operator: string): Value => binary(m, operator, before, undefinedValue, node)
  const after = apply(ts.tokenToString(node.operator) as string)
  write(after)
  // `x++` returns the value before, converted to a number.
  return ts.isPostfixUnaryExpression(node) ? apply('numeric') : after
}

type Reference = Readonly<{ read: () => Value; write: (value: Value) => void }>

/** Evaluates the object and the key of a target once, and before the value; the key of `super[key]` at each access. */
function referenceTo(m: Machine, target: ts.Expression, scope: Scope): Reference {
  const wrapped = innerExpression(target)
  if (wrapped !== undefined) return referenceTo(m, wrapped, scope)
  if (!isMember(target) || isSuper(target)) {
    return {
      read: () => m.evaluate(target, scope),
      write: (value) => {
        if (ts.isIdentifier(target)) {
          const binding = scope.find(target.text)
          if (binding !== undefined) m.journal.setBinding(binding, value)
        } else if (isMember(target)) assignToSuper(m, target, value, scope)
        else if (ts.isArrayLiteralExpression(target) || ts.isObjectLiteralExpression(target)) {
          assignPattern(m, target, value, scope, (part, one) => assignTo(m, part, one, scope))
        }
      },
    }
  }
  const owner = m.evaluate(target.expression, scope)
  const key = keyOf(m, target, scope)
  return {
    read: () => refine(m, readMember(m, owner, key, target)),
    write: (value) => m.set(owner, key, value, target.parent),
  }
}

/** Writes to a variable, a property, or to all targets of a destructuring pattern. */
export function assignTo(m: Machine, target: ts.Expression, value: Value, scope: Scope): void {
  referenceTo(m, target, scope).write(value)
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
