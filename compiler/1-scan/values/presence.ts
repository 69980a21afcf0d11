/** Finds out whether an object has a property. */
import type { Node } from '../project.ts'
import { isOptional } from './distribution.ts'
import type { Machine } from './machine.ts'
import {
  absent,
  hole,
  unknownFrom,
  isCallable,
  mapChoice,
  primitive,
  unknown,
  type Value,
} from './index.ts'

/** Returns whether a property is known to exist. */
export function hasProperty(owner: Value, key: string): boolean {
  switch (owner.kind) {
    case 'object':
      return owner.members.has(key) || (owner.proto !== undefined && hasProperty(owner.proto, key))
    case 'array':
      return (owner.elements[Number(key)] ?? hole) !== hole || owner.members.has(key)
    case 'class':
    case 'function':
    case 'native':
      return owner.members.has(key)
    case 'namespace':
      return owner.names().includes(key)
    case 'instance':
      return (
        owner.members.has(key) || (owner.parent !== undefined && hasProperty(owner.parent, key))
      )
    default:
      return false
  }
}

/** Evaluates `Object.hasOwn(owner, key)`, or `key in owner`. */
export function presence(
  m: Machine,
  owner: Value,
  key: string,
  at: Node,
  which: 'own' | 'inherited',
): Value {
  const isOwn = which === 'own'
  switch (owner.kind) {
    case 'choice':
      return mapChoice(owner, (option) => presence(m, option, key, at, which), at)
    case 'unknown':
      return unknownFrom(owner, at)
    case 'deferred': {
      const question = isOwn ? '(o, k) => Object.hasOwn(o, k)' : '(o, k) => k in o'
      return m.deferrals.code(question, [owner, primitive(key, at)], at)
    }
    case 'object': {
      const member = owner.members.get(key)
      if (member !== undefined) return isThere(member.value, at)
      if (owner.base !== undefined) return presence(m, owner.base, key, at, which)
      if (isOwn && owner.computeMember === undefined) return primitive(false, at)
      break
    }
    case 'array':
      if (owner.uncertainty !== undefined || owner.elements.some(isOptional)) {
        return owner.uncertainty ?? unknown('the length of the list depends on a condition', at)
      }
      break
    default:
  }
  if (hasProperty(owner, key)) return primitive(true, at)
  if (isOwn && owner.kind !== 'object') return primitive(false, at)
  if (!isOwn && key in builtinOf(owner)) return primitive(true, at)
  const found = m.get(owner, primitive(key, at), at)
  return found.kind === 'unknown' ? found : primitive(false, at)
}

export function hasOwn(m: Machine, owner: Value, key: Value, at: Node): Value {
  const name = m.known(key)
  return name.kind === 'primitive'
    ? presence(m, owner, String(name.value), at, 'own')
    : unknown('the name of the property is not known', at)
}

/** A member that was set under a condition exists under that condition. */
function isThere(value: Value, at: Node): Value {
  if (value.kind === 'choice') return mapChoice(value, (option) => isThere(option, at), at)
  return primitive(value !== absent, at)
}

/** Returns the built-in prototype of a value. */
function builtinOf(owner: Value): object {
  if (owner.kind === 'array') return Array.prototype
  if (isCallable(owner)) return Function.prototype
  const hasNothing = owner.kind === 'object' && owner.proto?.kind === 'primitive'
  return owner.kind !== 'object' || hasNothing ? {} : Object.prototype
}
