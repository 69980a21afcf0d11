import { ts } from '../project.ts'
import { accessorOf } from '../values/accessors.ts'
import { memberName } from '../values/names.ts'
import { binary, evaluateLogical } from './operators.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { takenApart } from '../builtins/lists/iterators.ts'
import { elementAt, elementsFrom, placesOf, rest, withDefault } from './patterns.ts'
import { propertyKey } from './literals.ts'
import { primitive, undefinedValue } from '../values/index.ts'
import type { Value } from '../values/index.ts'

const compound: { readonly [kind: number]: ts.SyntaxKind } = {
  [ts.SyntaxKind.PlusEqualsToken]: ts.SyntaxKind.PlusToken,
  [ts.SyntaxKind.MinusEqualsToken]: ts.SyntaxKind.MinusToken,
  [ts.SyntaxKind.AsteriskEqualsToken]: ts.SyntaxKind.AsteriskToken,
  [ts.SyntaxKind.SlashEqualsToken]: ts.SyntaxKind.SlashToken,
  [ts.SyntaxKind.PercentEqualsToken]: ts.SyntaxKind.PercentToken,
  [ts.SyntaxKind.BarEqualsToken]: ts.SyntaxKind.BarToken,
  [ts.SyntaxKind.AmpersandEqualsToken]: ts.SyntaxKind.AmpersandToken,
}

const logical: { readonly [kind: number]: ts.SyntaxKind } = {
  [ts.SyntaxKind.BarBarEqualsToken]: ts.SyntaxKind.BarBarToken,
  [ts.SyntaxKind.AmpersandAmpersandEqualsToken]: ts.SyntaxKind.AmpersandAmpersandToken,
  [ts.SyntaxKind.QuestionQuestionEqualsToken]: ts.SyntaxKind.QuestionQuestionToken,
}

export function evaluateAssignment(m: Machine, node: ts.BinaryExpression, scope: Scope): Value {
  const operator = node.operatorToken.kind
  const arithmetic = compound[operator]
  const shortCircuit = logical[operator]
  let value: Value
  if (arithmetic !== undefined) {
    const before = m.evaluate(node.left, scope)
    value = binary(m, arithmetic, before, m.evaluate(node.right, scope), node)
  } else if (shortCircuit !== undefined) {
    const before = m.evaluate(node.left, scope)
    value = evaluateLogical(m, shortCircuit, before, () => m.evaluate(node.right, scope), node)
    if (value === before) return value
  } else {
    value = m.evaluate(node.right, scope)
    if (value.kind === 'function' && value.name === '' && ts.isIdentifier(node.left)) {
      value.name = node.left.text
    }
  }
  assignTo(m, node.left, value, scope)
  return value
}

type Unary = ts.PrefixUnaryExpression | ts.PostfixUnaryExpression

/** `++` and `--`. */
export function isUpdate(node: Unary): boolean {
  return (
    node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken
  )
}

export function evaluateUpdate(m: Machine, node: Unary, scope: Scope): Value {
  const before = m.evaluate(node.operand, scope)
  const step = node.operator === ts.SyntaxKind.PlusPlusToken ? 1 : -1
  const after = binary(m, ts.SyntaxKind.PlusToken, before, primitive(step, node), node)
  assignTo(m, node.operand, after, scope)
  return ts.isPostfixUnaryExpression(node) ? before : after
}

/** Writes to a variable, a property, or to all the targets of a destructuring pattern. */
export function assignTo(m: Machine, target: ts.Expression, value: Value, scope: Scope): void {
  if (ts.isIdentifier(target)) {
    const binding = scope.find(target.text)
    if (binding !== undefined) m.journal.setBinding(binding, value)
  } else if (ts.isPropertyAccessExpression(target)) {
    if (target.expression.kind === ts.SyntaxKind.SuperKeyword) {
      assignToSuper(m, target, value, scope)
      return
    }
    const owner = m.evaluate(target.expression, scope)
    m.set(owner, memberName(target.name), value, target.parent)
  } else if (ts.isElementAccessExpression(target)) {
    const owner = m.evaluate(target.expression, scope)
    m.set(owner, m.evaluate(target.argumentExpression, scope), value, target.parent)
  } else if (
    ts.isParenthesizedExpression(target) ||
    ts.isAsExpression(target) ||
    ts.isNonNullExpression(target) ||
    ts.isSatisfiesExpression(target)
  ) {
    assignTo(m, target.expression, value, scope)
  } else if (ts.isArrayLiteralExpression(target)) {
    assignElements(m, target, value, scope)
  } else if (ts.isObjectLiteralExpression(target)) {
    assignMembers(m, target, value, scope)
  }
}

/** `super.name = value` sets a property of `this`, unless the parent has a setter for it. */
function assignToSuper(
  m: Machine,
  target: ts.PropertyAccessExpression,
  value: Value,
  scope: Scope,
): void {
  const { home, isStatic, thisValue = undefinedValue } = scope.frame
  const parent = home?.parent
  const holder = isStatic || parent?.kind !== 'class' ? parent : parent.prototype
  const setter = holder && accessorOf(holder, target.name.text)?.setter
  if (setter === undefined) m.set(thisValue, memberName(target.name), value, target)
  else m.call(setter, thisValue, [value], target)
}

function assignElements(
  m: Machine,
  target: ts.ArrayLiteralExpression,
  given: Value,
  scope: Scope,
): void {
  const value = takenApart(m, given, placesOf(target.elements), target)
  for (const [index, element] of target.elements.entries()) {
    if (ts.isOmittedExpression(element)) continue
    if (ts.isSpreadElement(element)) {
      assignTo(m, element.expression, elementsFrom(m, value, index, element), scope)
      continue
    }
    assignWithDefault(m, element, elementAt(m, value, index, element), scope)
  }
}

function assignMembers(
  m: Machine,
  target: ts.ObjectLiteralExpression,
  value: Value,
  scope: Scope,
): void {
  const taken: string[] = []
  for (const property of target.properties) {
    if (ts.isSpreadAssignment(property)) {
      assignTo(m, property.expression, rest(m, value, taken, property), scope)
    } else if (ts.isShorthandPropertyAssignment(property)) {
      const name = property.name.text
      taken.push(name)
      const member = m.get(value, primitive(name, property), property)
      const given = withDefault(m, member, property.objectAssignmentInitializer, scope)
      assignTo(m, property.name, given, scope)
    } else if (ts.isPropertyAssignment(property)) {
      const key = propertyKey(m, property.name, scope)
      if (typeof key === 'string') taken.push(key)
      const member = m.get(
        value,
        typeof key === 'object' ? key : primitive(key, property),
        property,
      )
      assignWithDefault(m, property.initializer, member, scope)
    }
  }
}

function assignWithDefault(m: Machine, target: ts.Expression, value: Value, scope: Scope): void {
  if (ts.isBinaryExpression(target) && target.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    assignTo(m, target.left, withDefault(m, value, target.right, scope), scope)
  } else {
    assignTo(m, target, value, scope)
  }
}
