/** Evaluates expressions of plain data without running anything. */
import { ts } from './project.ts'
import type { Node } from './project.ts'

/**
 * Returns the value of an expression that is plain data whenever it runs: JSON in the spelling of JavaScript. `undefined` for
 * any other, such as one with a variable, a spread, a computed key, `undefined`, a gap in an array, `-0`, or a prototype.
 */
export function constantOf(given: Node): { readonly value: unknown } | undefined {
  const node = withoutTypes(given)
  if (ts.isObjectLiteralExpression(node)) return objectOf(node)
  if (ts.isArrayLiteralExpression(node)) return listOf(node)
  const value = scalarOf(node)
  return value === undefined ? undefined : { value }
}

/** Removes parentheses and types around an expression. */
export function withoutTypes(node: Node): Node {
  const isAround =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isTypeAssertionExpression(node)
  return isAround ? withoutTypes(node.expression) : node
}

function objectOf(node: ts.ObjectLiteralExpression): { readonly value: object } | undefined {
  const value: Record<string, unknown> = {}
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property)) return undefined
    const key = keyOf(property.name)
    const member = constantOf(property.initializer)
    if (key === undefined || member === undefined) return undefined
    value[key] = member.value
  }
  return { value }
}

export function keyOf(name: ts.PropertyName): string | undefined {
  if (ts.isNumericLiteral(name)) return String(numberOf(name))
  const isText = ts.isIdentifier(name) || ts.isStringLiteral(name)
  // In a literal, `__proto__` sets the prototype.
  return isText && name.text !== '__proto__' ? name.text : undefined
}

function listOf(node: ts.ArrayLiteralExpression): { readonly value: unknown[] } | undefined {
  const value: unknown[] = []
  for (const element of node.elements) {
    const one = constantOf(element)
    if (one === undefined) return undefined
    value.push(one.value)
  }
  return { value }
}

type Scalar = string | number | boolean | null

function scalarOf(node: Node): Scalar | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isNumericLiteral(node)) return finite(numberOf(node))
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  if (node.kind === ts.SyntaxKind.NullKeyword) return null
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const operand = scalarOf(withoutTypes(node.operand))
    return typeof operand === 'number' && operand !== 0 ? -operand : undefined
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return sumOf(scalarOf(withoutTypes(node.left)), scalarOf(withoutTypes(node.right)))
  }
  return undefined
}

/** Adds literals: long strings are often written in pieces. */
function sumOf(left: Scalar | undefined, right: Scalar | undefined): Scalar | undefined {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right)
  const isText = typeof left === 'string' || typeof right === 'string'
  return isText && left !== undefined && right !== undefined
    ? String(left) + String(right)
    : undefined
}

/** TypeScript normalizes all spellings of numbers to digits. */
function numberOf(node: ts.NumericLiteral): number {
  return Number(node.text)
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}
