/** The operator `instanceof`. */
import type { Node } from '../project.ts'
import { distribute, distributeChoice } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import { errorName } from '../values/thrown.ts'
import { unknownFrom, isCallable, primitive, unknown } from '../values/index.ts'
import type { NativeValue, ObjectValue, Value } from '../values/index.ts'

export function instanceOf(m: Machine, left: Value, right: Value, at: Node): Value {
  const value = m.known(left)
  return distribute(m, right, at, (wanted) =>
    distributeChoice(m, value, at, (one) => isInstance(m, one, wanted, at)),
  )
}

function isInstance(m: Machine, value: Value, wanted: Value, at: Node): Value {
  if (value.kind === 'primitive') return primitive(false, at)
  if (value.kind === 'unknown') return unknownFrom(value, at)
  if (wanted.kind === 'unknown') return unknownFrom(wanted, at)
  if (wanted.kind === 'native') {
    const answer = m.modules.global(wanted.name) === wanted ? ofBuiltin(value, wanted) : undefined
    if (answer !== undefined) return primitive(answer, at)
  }
  const last = value.kind === 'object' ? classesOf(value).at(-1)?.kind : undefined
  if ((last === 'class' || last === 'native') && isOutsideGlobal(wanted))
    return primitive(false, at)
  if (value.kind === 'deferred' || wanted.kind === 'deferred') {
    return m.deferrals.code('(value, wanted) => value instanceof wanted', [value, wanted], at)
  }
  if (wanted.kind === 'class') {
    return primitive(value.kind === 'object' && classesOf(value).includes(wanted), at)
  }
  const answer = wanted.kind === 'function' ? inherits(m, value, wanted, at) : undefined
  if (answer !== undefined) return primitive(answer, at)
  return unknown('`instanceof` asks for a class that is not in the source', at)
}

/** Returns whether an object inherits from `wanted.prototype`; `undefined` when that isn't known. */
function inherits(m: Machine, value: Value, wanted: Value, at: Node): boolean | undefined {
  const prototype = m.get(wanted, primitive('prototype', at), at)
  if (prototype.kind !== 'object') return undefined
  if (value.kind === 'array' || isCallable(value)) return false
  for (let one: Value = value; one.kind === 'object';) {
    if (one.base !== undefined || one.computeMember !== undefined) return undefined
    if (one.proto === undefined) return false
    if (one.proto === prototype) return true
    // `null`
    if (one.proto.kind === 'primitive') return false
    one = one.proto
  }
  return undefined
}

/** Returns whether it is a built-in constructor that the interpreter doesn't implement. */
function isOutsideGlobal(wanted: Value): boolean {
  if (wanted.kind !== 'deferred' || wanted.source.op !== 'code') return false
  return wanted.source.operands.length === 0
}

/** Returns whether a value is an instance of a built-in constructor; `undefined` when only real code can tell. */
function ofBuiltin(value: Value, { name }: NativeValue): boolean | undefined {
  if (value.kind === 'deferred' || value.kind === 'instance' || value.kind === 'namespace') {
    return undefined
  }
  if (value.kind === 'array') return name === 'Object' || name === 'Array'
  if (value.kind !== 'object') return name === 'Object' || name === 'Function'
  const root = value.class === undefined ? undefined : classesOf(value).at(-1)
  const made = root?.kind === 'native' ? root.name : errorName(value)
  if (root !== undefined || made !== undefined) {
    if (name === 'Object') return true
    if (made !== undefined) return made === name || (name === 'Error' && made.endsWith('Error'))
    return root?.kind === 'class' ? false : undefined
  }
  if (value.computeMember !== undefined || value.base !== undefined) return undefined
  if (value.proto !== undefined) {
    const last = lastPrototype(value)
    if (last.kind === 'primitive') return false
    return name === 'Object' && last.kind === 'object' ? true : undefined
  }
  // Weak collections are represented like the others.
  if (value.collection !== undefined && name.startsWith('Weak')) return undefined
  return name === 'Object' || name.toLowerCase() === value.collection?.kind
}

/** Returns the end of the prototype chain: `null` when the object doesn't inherit from `Object`. */
function lastPrototype(value: ObjectValue): Value {
  const { proto } = value
  return proto?.kind === 'object' ? lastPrototype(proto) : (proto ?? value)
}

/** Returns the class of an object, and those that it extends. */
function classesOf({ class: own }: ObjectValue): Value[] {
  const found: Value[] = []
  for (let one: Value | undefined = own; one !== undefined;) {
    found.push(one)
    one = one.kind === 'class' ? one.parent : undefined
  }
  return found
}
