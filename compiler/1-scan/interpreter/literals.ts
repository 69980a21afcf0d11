/** Object literals, array literals and template strings. */
import { partsOf } from '../builtins/lists/iteration.ts'
import { ts, type Node } from '../../util/source/project.ts'
import { accessor, privateKey, toKey } from '../values/properties.ts'
import { distributeAll } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import { array, copyOf, object, present, undefinedValue } from '../values/index.ts'
import type { ArrayValue, Key, ObjectValue, Value } from '../values/index.ts'
import type { Scope } from '../values/scope.ts'
import { changeUnder, overrideAll, spreadInto, spreadOpaque } from '../values/spread.ts'

export function evaluateObjectLiteral(
  m: Machine,
  node: ts.ObjectLiteralExpression,
  scope: Scope,
): Value {
  const result = object(node)
  for (const property of node.properties) {
    if (ts.isPropertyAssignment(property)) {
      const key = propertyKey(m, property.name, scope)
      const value = m.evaluate(property.initializer, scope)
      if (key === '__proto__' && setsPrototype(property)) result.proto = value
      else define(m, result, key, value, property)
    } else if (ts.isShorthandPropertyAssignment(property)) {
      define(m, result, property.name.text, m.evaluate(property.name, scope), property)
    } else if (ts.isSpreadAssignment(property)) {
      spreadInto(m, result, m.evaluate(property.expression, scope), property)
    } else {
      const key = propertyKey(m, property.name, scope)
      const method = m.closure(property, scope)
      if (ts.isMethodDeclaration(property)) define(m, result, key, method, property)
      else if (typeof key === 'object') overrideAll(m, result, key, property)
      else result.members.set(key, accessor(property, method, result.members.get(key)))
    }
  }
  return result
}

/** Returns whether `__proto__` sets the prototype. In JSON and in brackets it doesn't. */
function setsPrototype({ name, flags }: ts.PropertyAssignment): boolean {
  return !ts.isComputedPropertyName(name) && (flags & ts.NodeFlags.JsonFile) === 0
}

/** Returns the name of a property, or its value if that isn't a primitive. */
export function propertyKey(
  m: Machine,
  name: ts.PropertyName,
  scope: Scope,
): Key | Exclude<Value, { kind: 'primitive' }> {
  if (ts.isPrivateIdentifier(name)) return privateKey(name)
  if (!ts.isComputedPropertyName(name)) {
    return ts.isNumericLiteral(name) ? String(Number(name.text)) : name.text
  }
  const value = m.known(m.evaluate(name.expression, scope))
  return value.kind === 'primitive' ? toKey(value.value) : value
}

function define(m: Machine, result: ObjectValue, key: Key | Value, value: Value, at: Node): void {
  if (typeof key !== 'object') {
    // An existing name keeps its position, as in JavaScript.
    result.members.set(key, { value, at })
  } else if (key.kind === 'choice') {
    changeUnder(m, result, key, at, (copy, option) =>
      define(m, copy, option.kind === 'primitive' ? toKey(option.value) : option, value, at),
    )
  } else if (key.kind === 'deferred') {
    // The key may be a symbol of a package.
    const operands = [copyOf(result, result.at), key, value]
    spreadOpaque(m, result, m.deferrals.code('(o, k, v) => ({ ...o, [k]: v })', operands, at))
  } else overrideAll(m, result, key, at)
}

export function evaluateArrayLiteral(
  m: Machine,
  node: ts.ArrayLiteralExpression,
  scope: Scope,
): Value {
  const parts = node.elements.map((element) => ({
    isSpread: ts.isSpreadElement(element),
    value: m.evaluate(ts.isSpreadElement(element) ? element.expression : element, scope),
  }))
  const spreads = parts.filter((part) => part.isSpread).map((part) => part.value)
  return distributeAll(m, spreads, node, (given) => {
    const rest = [...given]
    const result = array([], node)
    for (const { isSpread, value } of parts) {
      if (isSpread) appendAll(m, result, rest.shift() ?? undefinedValue, node)
      else result.elements.push(value)
    }
    return result
  })
}

/** Appends everything that a spread value gives. */
export function appendAll(m: Machine, result: ArrayValue, spread: Value, at: Node): void {
  const { uncertainty, elements } = partsOf(m, spread, at)
  if (spread.kind !== 'array' && uncertainty === undefined) {
    const items = m.iterate(spread, at)
    if (Array.isArray(items)) m.journal.setElements(result, [...result.elements, ...items])
    else m.journal.setUncertainty(result, items)
    return
  }
  // If other elements are unknown, keep those that are known: a loop over the list declares their routes.
  m.journal.setElements(result, [...result.elements, ...elements.map(present)])
  if (uncertainty !== undefined) m.journal.setUncertainty(result, uncertainty)
}

export function evaluateTemplate(m: Machine, node: ts.TemplateExpression, scope: Scope): Value {
  const values = node.templateSpans.map((span) => m.evaluate(span.expression, scope))
  const texts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)]
  return m.concat(texts, values, node)
}
