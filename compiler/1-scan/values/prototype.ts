/** Prototypes: which properties exist on them, and `instanceof`. */
import type { Node } from '../../util/source/project.ts'
import type { Machine } from './machine.ts'
import { hasOwnMember, hasProperty, toKey } from './properties.ts'
import { errorName } from './thrown.ts'
import { mapChoice } from './choices.ts'
import { primitive, unknown, absent, unknownFrom } from './index.ts'
import type { Key, ObjectValue, Value } from './index.ts'
import { isOptional, distribute, forEachOption } from './conditions.ts'

/** Returns the prototype of a value: `null` at the end of the chain. */
export function prototypeOf(m: Machine, owner: Value, at: Node): Value {
  const builtin = (name: string): Value => {
    const constructor = m.modules.global(name)
    const members = 'members' in constructor ? constructor.members : undefined
    return members?.get('prototype')?.value ?? primitive(null, at)
  }
  switch (owner.kind) {
    case 'object': {
      if (owner.proto !== undefined) return owner.proto
      const maker = owner.members.get('constructor')?.value
      const isOfClass = maker?.kind === 'class' && maker.prototype === owner
      if (isOfClass && maker.parent?.kind === 'native') return builtin(maker.parent.name)
      const root = builtin('Object')
      if (owner === root) return primitive(null, at)
      const name = errorName(owner) ?? builtinOf(owner)
      return name === 'Object' ? root : builtin(name)
    }
    case 'array':
      return builtin('Array')
    case 'class':
      return owner.parent ?? builtin('Function')
    case 'function':
      return owner.proto ?? builtin('Function')
    case 'native':
      return builtin('Function')
    default:
      return unknown('its prototype is not known', at)
  }
}

/** Returns the name of the global constructor of an object without a class. */
export function builtinOf({
  collection,
  promise,
}: ObjectValue): 'Object' | 'Map' | 'Promise' | 'Set' {
  if (promise !== undefined) return 'Promise'
  if (collection === undefined || collection.kind === 'iterator') return 'Object'
  return collection.kind === 'map' ? 'Map' : 'Set'
}

/** Evaluates `key in owner`. */
export function isIn(m: Machine, owner: Value, key: Value, at: Node): Value {
  return withName(m, key, at, (name) => presence(m, owner, name, at, 'inherited'))
}

/** Evaluates `Object.hasOwn(owner, key)`. */
export function hasOwn(m: Machine, owner: Value, key: Value, at: Node): Value {
  return withName(m, key, at, (name) => presence(m, owner, name, at, 'own'))
}

function withName(m: Machine, key: Value, at: Node, use: (name: Key) => Value): Value {
  const name = m.known(key)
  return name.kind === 'primitive'
    ? use(toKey(name.value))
    : unknown('the name of the property is not known', at)
}

/** Own properties, or inherited ones as well. */
type Which = 'own' | 'inherited'

function presence(m: Machine, owner: Value, key: Key, at: Node, which: Which): Value {
  const isOwn = which === 'own'
  const member = 'members' in owner ? owner.members.get(key) : undefined
  if (member !== undefined) return isThere(member.value, at)
  switch (owner.kind) {
    case 'choice':
      return mapChoice(owner, (option) => presence(m, option, key, at, which), at)
    case 'unknown':
      return unknownFrom(owner, at)
    case 'deferred': {
      const code = isOwn ? '(o, k) => Object.hasOwn(o, k)' : '(o, k) => k in o'
      return m.deferrals.code(code, [owner, primitive(key, at)], at)
    }
    case 'object':
      if (owner.base !== undefined) return presence(m, owner.base, key, at, which)
      break
    case 'array':
      if (owner.uncertainty !== undefined || owner.elements.some(isOptional)) {
        return owner.uncertainty ?? unknown('the length of the list depends on a condition', at)
      }
      break
    default:
  }
  const has = owner.kind === 'instance' ? hasProperty : hasOwnMember
  if (has(owner, key)) return primitive(true, at)
  if (owner.kind === 'instance' || (owner.kind === 'object' && owner.computeMember !== undefined)) {
    const found = m.get(owner, primitive(key, at), at)
    const exists = found.kind !== 'primitive' || found.value !== undefined
    return found.kind === 'unknown' ? found : primitive(exists, at)
  }
  return isOwn || owner.kind === 'primitive' || owner.kind === 'namespace'
    ? primitive(false, at)
    : presence(m, prototypeOf(m, owner, at), key, at, which)
}

/** A member that was set under a condition exists under that condition. */
function isThere(value: Value, at: Node): Value {
  if (value.kind === 'choice') return mapChoice(value, (option) => isThere(option, at), at)
  return primitive(value !== absent, at)
}

export function instanceOf(m: Machine, left: Value, right: Value, at: Node): Value {
  const value = m.known(left)
  return distribute(m, right, at, (constructor) =>
    forEachOption(m, value, at, (one) => isInstance(m, one, constructor, at)),
  )
}

function isInstance(m: Machine, value: Value, constructor: Value, at: Node): Value {
  if (value.kind === 'primitive') return primitive(false, at)
  if (value.kind === 'unknown') return unknownFrom(value, at)
  if (constructor.kind === 'unknown') return unknownFrom(constructor, at)
  const isChainKnown = inherits(m, value, m.modules.global('Object'), at) !== undefined
  if (isChainKnown && isOutsideGlobal(constructor)) return primitive(false, at)
  if (value.kind === 'deferred' || constructor.kind === 'deferred') {
    return m.deferrals.code('(value, wanted) => value instanceof wanted', [value, constructor], at)
  }
  const result = inherits(m, value, constructor, at)
  return result === undefined
    ? unknown('`instanceof` needs a class that is not in the source', at)
    : primitive(result, at)
}

/** Returns whether a value inherits from `constructor.prototype`; `undefined` when that isn't known. */
function inherits(m: Machine, value: Value, constructor: Value, at: Node): boolean | undefined {
  const prototype = m.get(constructor, primitive('prototype', at), at)
  if (prototype.kind !== 'object') return undefined
  for (let one = value; ;) {
    if (one.kind === 'object' && (one.base !== undefined || one.computeMember !== undefined)) {
      return undefined
    }
    one = prototypeOf(m, one, at)
    if (one === prototype) return true
    // The end of the chain: `null`.
    if (one.kind === 'primitive') return false
    if (one.kind === 'unknown' || one.kind === 'deferred') return undefined
  }
}

/** Returns whether it is a built-in constructor that the interpreter doesn't implement: only deferred values are its instances. Deferred code without operands names a global. */
function isOutsideGlobal(constructor: Value): boolean {
  if (constructor.kind !== 'deferred' || constructor.source.op !== 'code') return false
  return constructor.source.operands.length === 0
}
