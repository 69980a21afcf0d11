import { ts } from '../project.ts'
import { takenApart } from '../builtins/lists/iterators.ts'
import { propertyKey } from './literals.ts'
import { spreadInto } from '../values/spread.ts'
import { whether } from '../values/conditions.ts'
import { distribute } from '../values/distribution.ts'
import type { BindMode, Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { array, object, primitive, undefinedValue } from '../values/index.ts'
import type { Value } from '../values/index.ts'

/** Gives the variables of a declaration, a parameter or a loop their values. */
export function bind(
  m: Machine,
  pattern: ts.BindingName,
  value: Value,
  scope: Scope,
  mode: BindMode,
): void {
  if (ts.isIdentifier(pattern)) {
    bindName(m, pattern.text, value, scope, mode)
  } else if (ts.isObjectBindingPattern(pattern)) {
    bindMembers(m, pattern, value, scope, mode)
  } else {
    bindElements(m, pattern, value, scope, mode)
  }
}

function bindName(m: Machine, name: string, value: Value, scope: Scope, mode: BindMode): void {
  if (value.kind === 'function' && value.name === '') value.name = name
  if (value.kind === 'class' && value.name === '') value.name = name
  const binding = mode === 'assign' ? scope.find(name) : scope.declare(name, undefined)
  if (binding !== undefined) m.journal.setBinding(binding, value)
}

function bindMembers(
  m: Machine,
  pattern: ts.ObjectBindingPattern,
  value: Value,
  scope: Scope,
  mode: BindMode,
): void {
  const taken: string[] = []
  for (const element of pattern.elements) {
    if (element.dotDotDotToken !== undefined) {
      bind(m, element.name, rest(m, value, taken, element), scope, mode)
      continue
    }
    const name = element.propertyName ?? (element.name as ts.Identifier)
    const key = ts.isIdentifier(name) ? name.text : propertyKey(m, name, scope)
    const keyValue = typeof key === 'object' ? key : primitive(key, element)
    if (typeof key === 'string') taken.push(key)
    bindWithDefault(m, element, m.get(value, keyValue, element), scope, mode)
  }
}

function bindElements(
  m: Machine,
  pattern: ts.ArrayBindingPattern,
  given: Value,
  scope: Scope,
  mode: BindMode,
): void {
  const value = takenApart(m, given, placesOf(pattern.elements), pattern)
  const at = (index: number): Value => elementAt(m, value, index, pattern)
  for (const [index, element] of pattern.elements.entries()) {
    if (ts.isOmittedExpression(element)) continue
    if (element.dotDotDotToken === undefined) {
      bindWithDefault(m, element, at(index), scope, mode)
      continue
    }
    const tail = elementsFrom(m, value, index, element)
    bind(m, element.name, tail, scope, mode)
  }
}

/** How many values a pattern takes: all, with a rest. */
export function placesOf(elements: readonly ts.Node[]): number {
  const last = elements.at(-1)
  const takesAll =
    last !== undefined &&
    (ts.isSpreadElement(last) || (ts.isBindingElement(last) && last.dotDotDotToken !== undefined))
  return takesAll ? Infinity : elements.length
}

/** The elements from one on, as a rest element takes them. */
export function elementsFrom(m: Machine, value: Value, index: number, at: ts.Node): Value {
  return distribute(m, value, at, (one) => {
    const items = m.iterate(one, at)
    return Array.isArray(items) ? array(items.slice(index), at) : items
  })
}

/** An element of anything that can be iterated. */
export function elementAt(m: Machine, value: Value, index: number, at: ts.Node): Value {
  return distribute(m, value, at, (one) => {
    const items = m.iterate(one, at)
    if (!Array.isArray(items)) return items
    return items[index] ?? undefinedValue
  })
}

function bindWithDefault(
  m: Machine,
  element: ts.BindingElement,
  value: Value,
  scope: Scope,
  mode: BindMode,
): void {
  bind(m, element.name, withDefault(m, value, element.initializer, scope), scope, mode)
}

/** A default value stands in for `undefined`, also where only one of several values is. */
export function withDefault(
  m: Machine,
  value: Value,
  initializer: ts.Expression | undefined,
  scope: Scope,
): Value {
  if (initializer === undefined) return value
  const take = (isMissing: boolean, one: Value): Value =>
    isMissing ? m.evaluate(initializer, scope) : one
  return whether(m, value, take, (arms, key) => m.fork(arms, initializer, key), isUndefined)
}

/** What is not known stays so: it may as well be given. */
function isUndefined(value: Value): boolean {
  return value.kind === 'primitive' && value.value === undefined
}

/** What of an object is left when some of it was taken. */
export function rest(m: Machine, value: Value, taken: readonly string[], at: ts.Node): Value {
  const result = object(at)
  spreadInto(m, result, value, at)
  for (const name of taken) m.remove(result, primitive(name, at), at)
  return result
}
