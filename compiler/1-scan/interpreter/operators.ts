/** Unary, binary and logical operators. */
import { ts, type Node } from '../../util/source/project.ts'
import { branchOn, distributeAll, forEachOption, isNullish } from '../values/conditions.ts'
import { instanceOf, isIn } from '../values/prototype.ts'
import type { Machine } from '../values/machine.ts'
import { toPrimitive } from '../values/primitives.ts'
import type { Scope } from '../values/scope.ts'
import { attempt } from '../values/thrown.ts'
import { choice, mapChoice } from '../values/choices.ts'
import { unknownFrom, isGiven, primitive, unknown } from '../values/index.ts'
import type { Scalar, Unknown, Value } from '../values/index.ts'

export function evaluateBinary(m: Machine, node: ts.BinaryExpression, scope: Scope): Value {
  const left = m.evaluate(node.left, scope)
  const right = (): Value => m.evaluate(node.right, scope)
  const operator = ts.tokenToString(node.operatorToken.kind) as string
  return operator === ',' ? right() : operate(m, operator, left, right, node)
}

/** Evaluates a binary operator, named by its text. `&&`, `||` and `??` may not need the right operand. */
export function operate(
  m: Machine,
  operator: string,
  left: Value,
  right: () => Value,
  at: Node,
): Value {
  const testsNullish = operator === '??'
  const isAnd = operator === '&&'
  if (!testsNullish && !isAnd && operator !== '||') return binary(m, operator, left, right(), at)
  const take = (outcome: boolean, value: Value): Value => {
    if (outcome === (isAnd || testsNullish)) return right()
    // The value is falsy, which is enough to know for a spread.
    return isAnd && value.kind === 'unknown' ? { ...value, falsy: true } : value
  }
  return branchOn(m, left, at, take, testsNullish ? isNullish : undefined)
}

/** Evaluates an operator that needs both operands. */
export function binary(m: Machine, operator: string, left: Value, right: Value, at: Node): Value {
  if (operator === 'instanceof') return instanceOf(m, left, right, at)
  if (operator === 'in') {
    return distributeAll(m, [m.known(left), right], at, ([key = left, owner = right]) =>
      isIn(m, owner, key, at),
    )
  }
  return forEachOption(m, m.known(left), at, (a) =>
    forEachOption(m, m.known(right), at, (b) => apply(m, operator, a, b, at)),
  )
}

function apply(m: Machine, operator: string, a: Value, b: Value, at: Node): Value {
  const isEquality = /^[!=]==?$/.test(operator)
  if (a.kind === 'unknown' || b.kind === 'unknown') {
    // A comparison is true or false in any case.
    if (isEquality || /^[<>]=?$/.test(operator)) {
      return choice([primitive(true, at), primitive(false, at)], at)
    }
    return unknownFrom(a.kind === 'unknown' ? a : (b as Unknown), at)
  }
  if (a.kind === 'primitive' && b.kind === 'primitive') {
    const operation = operations[operator]
    if (operation === undefined) return unknown('the build cannot evaluate this operator', at)
    const result = attempt(() => operation(a.value as Operand, b.value as Operand), at)
    return primitive(result, at)
  }
  // An object loosely equals its primitive value.
  const isLoose = operator.length === 2 && (isPlain(a) || isPlain(b))
  if (isEquality && a !== b && a.kind === 'deferred' && b.kind === 'deferred') {
    return m.deferrals.code(`(a, b) => a ${operator} b`, [a, b], at)
  }
  if (isEquality && !isLoose) return primitive((a === b) === operator.startsWith('='), at)
  const [first, second] = [toPrimitive(m, a, 'default', at), toPrimitive(m, b, 'default', at)]
  if (first !== a || second !== b) return binary(m, operator, first, second, at)
  if (operator === '+') return m.concat(['', '', ''], [a, b], at)
  return unknown('this operator is applied to something other than plain values', at)
}

function isPlain(value: Value): boolean {
  return value.kind === 'primitive' && isGiven(value)
}

// JavaScript's own operators are applied, whatever the operands are.
type Operand = number
type Operation = (a: Operand, b: Operand) => Scalar

const operations: Readonly<Record<string, Operation>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '**': (a, b) => a ** b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  // eslint-disable-next-line eqeqeq
  '==': (a, b) => a == b,
  // eslint-disable-next-line eqeqeq
  '!=': (a, b) => a != b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => a >>> b,
  // These have one operand; `numeric` is the result of the postfix operators.
  '++': (a) => ++a,
  '--': (a) => --a,
  numeric: (a) => a++,
}

const unaryOperations: Readonly<Record<string, Operation>> = {
  '-': (a) => -a,
  '+': (a) => +a,
  '~': (a) => ~a,
}

export function evaluateUnary(m: Machine, node: ts.PrefixUnaryExpression, scope: Scope): Value {
  const operand = m.evaluate(node.operand, scope)
  if (node.operator === ts.SyntaxKind.ExclamationToken) {
    return branchOn(m, operand, node, (outcome) => primitive(!outcome, node))
  }
  return forEachOption(m, m.known(operand), node, (one) => {
    const value = toPrimitive(m, one, 'number', node)
    if (value.kind === 'unknown') return value
    if (value.kind !== 'primitive') return unknown('this operator needs a plain value', node)
    const operation = unaryOperations[ts.tokenToString(node.operator) as string] as Operation
    return primitive(
      attempt(() => operation(value.value as Operand, 0), node),
      node,
    )
  })
}

export function concat(
  m: Machine,
  texts: readonly string[],
  values: readonly Value[],
  at: Node,
): Value {
  const parts = values.map((value) => textOf(m, m.known(value), at))
  return distributeAll(m, parts, at, (each) => {
    let result = texts[0] ?? ''
    for (const [index, part] of each.entries()) {
      if (part.kind === 'unknown') return unknownFrom(part, at)
      if (part.kind !== 'primitive') {
        return unknown('a value that is not a string becomes part of a string', at)
      }
      result += String(part.value) + (texts[index + 1] ?? '')
    }
    return primitive(result, at)
  })
}

/** Returns the text of a value, or the value if it has none. */
function textOf(m: Machine, value: Value, at: Node): Value {
  if (value.kind === 'choice') return mapChoice(value, (option) => textOf(m, option, at), at)
  return value.kind === 'array' && value.uncertainty === undefined
    ? m.call(m.get(value, primitive('join', at), at), value, [], at)
    : toPrimitive(m, value, 'string', at)
}
