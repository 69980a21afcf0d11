/** Destructuring, in declarations, parameters and assignments. */
import { ts } from '../../util/source/project.ts'
import { takeForPattern } from '../builtins/lists/iteration.ts'
import { listOf } from '../builtins/lists/callbacks.ts'
import { isVar } from './hoisting.ts'
import { propertyKey } from './literals.ts'
import { spreadInto } from '../values/spread.ts'
import { branchOn, distribute } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { argumentList, array, object, present, primitive, undefinedValue } from '../values/index.ts'
import type { Key, Value } from '../values/index.ts'

/** An element of a pattern: what receives the value, and its default. */
interface Part<Target> {
  readonly node: ts.Node
  /** The property that is read. */
  readonly name?: ts.PropertyName
  readonly target: Target
  readonly initializer?: ts.Expression | undefined
  readonly isRest: boolean
}

/** `declare` creates variables, `assign` writes to existing ones. */
type BindMode = 'declare' | 'assign'

/** Gives the variables of a declaration, a parameter or a loop their values. */
export function bind(
  m: Machine,
  pattern: ts.BindingName,
  value: Value,
  scope: Scope,
  mode: BindMode,
): void {
  if (ts.isIdentifier(pattern)) {
    const { text } = pattern
    const isNamed = value.kind === 'function' || value.kind === 'class'
    if (isNamed && value.name === '') value.name = text
    const binding = mode === 'assign' ? scope.find(text) : scope.declare(text, undefined)
    if (binding !== undefined) m.journal.setBinding(binding, value)
    return
  }
  const parts = pattern.elements.map((node): Part<ts.BindingName> | undefined => {
    if (ts.isOmittedExpression(node)) return undefined
    const { name: target, propertyName, initializer } = node
    const name = propertyName ?? (target as ts.Identifier)
    return { node, name, target, initializer, isRest: node.dotDotDotToken !== undefined }
  })
  const isList = !ts.isObjectBindingPattern(pattern)
  destructure(m, pattern, isList, parts, value, scope, (target, one) =>
    bind(m, target, one, scope, mode),
  )
}

/** Takes a value apart for a pattern on the left side of an assignment. */
export function assignPattern(
  m: Machine,
  pattern: ts.ObjectLiteralExpression | ts.ArrayLiteralExpression,
  value: Value,
  scope: Scope,
  assign: (target: ts.Expression, value: Value) => void,
): void {
  const isList = ts.isArrayLiteralExpression(pattern)
  const parts = isList ? pattern.elements.map(elementPart) : pattern.properties.map(propertyPart)
  destructure(m, pattern, isList, parts, value, scope, assign)
}

function elementPart(node: ts.Expression): Part<ts.Expression> | undefined {
  if (ts.isOmittedExpression(node)) return undefined
  if (ts.isSpreadElement(node)) return { node, target: node.expression, isRest: true }
  return { node, ...withoutDefault(node), isRest: false }
}

function propertyPart(node: ts.ObjectLiteralElementLike): Part<ts.Expression> | undefined {
  if (ts.isSpreadAssignment(node)) return { node, target: node.expression, isRest: true }
  if (ts.isShorthandPropertyAssignment(node)) {
    const { name, objectAssignmentInitializer: initializer } = node
    return { node, name, target: name, initializer, isRest: false }
  }
  if (!ts.isPropertyAssignment(node)) return undefined
  return { node, name: node.name, ...withoutDefault(node.initializer), isRest: false }
}

/** `target = initializer` */
function withoutDefault(node: ts.Expression): Pick<Part<ts.Expression>, 'target' | 'initializer'> {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken
    ? { target: node.left, initializer: node.right }
    : { target: node }
}

function destructure<Target>(
  m: Machine,
  pattern: ts.Node,
  isList: boolean,
  parts: readonly (Part<Target> | undefined)[],
  given: Value,
  scope: Scope,
  put: (target: Target, value: Value) => void,
): void {
  const count = parts.at(-1)?.isRest === true ? Infinity : parts.length
  const value = isList ? takeForPattern(m, given, count, pattern) : given
  const taken: Key[] = []
  const read = ({ node, name }: Part<Target>, index: number): Value => {
    if (isList || name === undefined) {
      return ofList(m, value, pattern, (elements) => present(elements[index]))
    }
    const key = propertyKey(m, name, scope)
    if (typeof key !== 'object') taken.push(key)
    return m.get(value, typeof key === 'object' ? key : primitive(key, node), node)
  }
  for (const [index, part] of parts.entries()) {
    if (part === undefined) continue
    const { node, target, isRest, initializer } = part
    if (!isRest) put(target, withDefault(m, read(part, index), initializer, scope))
    else if (isList) {
      const rest = ofList(m, value, node, (elements) => array(elements.slice(index), node))
      put(target, rest)
    } else put(target, remaining(m, value, taken, node))
  }
}

/** Reads a part of a list, under each condition that the list depends on. */
function ofList(m: Machine, value: Value, at: ts.Node, read: (elements: Value[]) => Value): Value {
  return distribute(m, value, at, (one) => {
    const list = listOf(m, one, at)
    return list.kind === 'array' ? read(list.elements) : list
  })
}

/** Copies an object without some of its properties. */
function remaining(m: Machine, value: Value, taken: readonly Key[], at: ts.Node): Value {
  const result = object(at)
  spreadInto(m, result, value, at)
  for (const name of taken) m.remove(result, primitive(name, at), at)
  return result
}

/** A default value replaces `undefined`, also where only one of several possible values is `undefined`. */
function withDefault(
  m: Machine,
  value: Value,
  initializer: ts.Expression | undefined,
  scope: Scope,
): Value {
  if (initializer === undefined) return value
  const take = (outcome: boolean, one: Value): Value =>
    outcome ? m.evaluate(initializer, scope) : one
  // An unknown value isn't replaced: it may as well be given.
  const isMissing = (one: Value): boolean => one.kind === 'primitive' && one.value === undefined
  return branchOn(m, value, initializer, take, isMissing)
}

export function bindParameters(
  m: Machine,
  node: ts.FunctionLikeDeclaration,
  args: readonly Value[],
  scope: Scope,
): void {
  const parameters = node.parameters.filter(
    (one) => !(ts.isIdentifier(one.name) && one.name.text === 'this'),
  )
  for (const [index, parameter] of parameters.entries()) {
    const rest = argumentList(args, parameter, index)
    const argument = rest.elements[0] ?? rest.uncertainty ?? undefinedValue
    const value =
      parameter.dotDotDotToken === undefined
        ? withDefault(m, argument, parameter.initializer, scope)
        : rest
    bind(m, parameter.name, value, scope, 'declare')
  }
}

export function declareVariables(m: Machine, list: ts.VariableDeclarationList, scope: Scope): void {
  for (const one of list.declarations) declareVariable(m, one, isVar(list), scope)
}

export function declareVariable(
  m: Machine,
  { name, initializer }: ts.VariableDeclaration,
  isHoisted: boolean,
  scope: Scope,
): void {
  if (initializer === undefined) {
    if (!isHoisted) bind(m, name, undefinedValue, scope, 'declare')
  } else bind(m, name, m.evaluate(initializer, scope), scope, isHoisted ? 'assign' : 'declare')
}
