/** Functions of `Object` and `Reflect` for prototypes, property descriptors, and properties that needn't be enumerable. */
import { hasProperty, indexOf, ownProperties, privateNameOf, toKey } from '../values/properties.ts'
import { isRestricted } from '../values/restrictions.ts'
import { prototypeOf } from '../values/prototype.ts'
import { isOptional } from '../values/conditions.ts'
import {
  isCallable,
  object,
  objectOf,
  primitive,
  truthiness,
  typeOf,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { Member, ObjectValue, Value } from '../values/index.ts'
import type { Machine } from '../values/machine.ts'
import type { Node } from '../../util/source/project.ts'
import type { Builtin, Builtins } from './functions.ts'
import { preluded } from './prelude.ts'
import { toValue } from './plain.ts'

const getOwnPropertyNames: Builtin = ({ m, at }, owner) => {
  if (owner.kind === 'deferred') {
    return m.deferrals.code('(o) => Object.getOwnPropertyNames(o)', [owner], at)
  }
  const properties = ownProperties(m, owner, at)
  if (!Array.isArray(properties)) return properties
  const names = properties.map(([name]) => name)
  return toValue(names, at)
}

const getOwnPropertySymbols: Builtin = ({ at }, owner) => {
  if (!('members' in owner)) return unknown('its symbols are not known', at)
  const symbols = [...owner.members.keys()].filter(
    (key) => typeof key === 'symbol' && privateNameOf(key) === undefined,
  )
  return toValue(symbols, at)
}

export const getOwnPropertyDescriptor: Builtin = ({ m, at }, owner, key) => {
  const name = keyOf(m, key)
  const why = unknown('the descriptor of this property is not known', at)
  if (!('members' in owner) || name === undefined || isRestricted(owner)) return why
  const member = owner.members.get(name)
  if (member !== undefined && !isOptional(member.value)) return describeMember(member, at)
  const properties = ownProperties(m, owner, at)
  if (!Array.isArray(properties)) return properties
  const [, found] = properties.find(([one]) => one === name) ?? []
  if (found === undefined) return undefinedValue
  // Built-in properties such as `length` have other flags.
  return found.hidden === true ? why : describeMember(found, at)
}

export const defineProperty: Builtin = ({ m, at }, owner, key, descriptor) => {
  const name = keyOf(m, key)
  const read = (part: string): Value => m.get(descriptor, primitive(part, at), at)
  const isListItem =
    owner.kind === 'array' && (name === 'length' || indexOf(name ?? '') !== undefined)
  if (!('members' in owner) || isListItem || name === undefined) {
    m.set(owner, key, read('value'), at)
    return owner
  }
  const [value, getter, setter] = [read('value'), read('get'), read('set')]
  const existing = owner.members.get(name)
  // Parts that the descriptor doesn't mention stay.
  const isPartial = typeOf(value) === 'undefined' && !hasProperty(descriptor, 'value')
  const kept = isPartial ? existing : undefined
  const isAccessor = isCallable(getter) || isCallable(setter)
  m.journal.setMember(owner, name, {
    value: (isAccessor ? undefined : kept?.value) ?? value,
    getter: isCallable(getter) ? getter : kept?.getter,
    setter: isCallable(setter) ? setter : kept?.setter,
    hidden: hasProperty(descriptor, 'enumerable')
      ? truthiness(read('enumerable')) === false
      : (existing?.hidden ?? !existing),
    at,
  })
  return owner
}

const defineProperties: Builtin = ({ m, at }, owner, descriptors) =>
  preluded(m, 'defineProperties', [owner, descriptors], at)

const create: Builtin = (call, proto, descriptors) => {
  const created = object(call.at, { proto: prototypeFrom(proto, call.at) })
  return descriptors.kind === 'primitive' ? created : defineProperties(call, created, descriptors)
}

const setPrototypeOf: Builtin = ({ m, at }, owner, proto) => {
  if (owner.kind !== 'object' && owner.kind !== 'function') {
    return unknown('its prototype is replaced', at)
  }
  m.journal.setPrototype(owner, prototypeFrom(proto, at))
  return owner
}

export const reflections: Builtins = {
  create,
  defineProperties,
  defineProperty,
  getOwnPropertyDescriptor,
  getOwnPropertyDescriptors: ({ m, at }, owner) =>
    preluded(m, 'getOwnPropertyDescriptors', [owner], at),
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf: ({ m, at }, owner) => prototypeOf(m, owner, at),
  setPrototypeOf,
}

function prototypeFrom(proto: Value, at: Node): Value {
  return proto.kind === 'primitive' ? primitive(null, at) : proto
}

function keyOf(m: Machine, key: Value): string | symbol | undefined {
  const known = m.known(key)
  return known.kind === 'primitive' ? toKey(known.value) : undefined
}

export function describeMember(member: Member, at: Node): ObjectValue {
  const { value, getter, setter, hidden } = member
  const isAccessor = getter !== undefined || setter !== undefined
  const parts: Record<string, Value> = isAccessor
    ? { get: getter ?? undefinedValue, set: setter ?? undefinedValue }
    : { value, writable: primitive(true, at) }
  const flags = { enumerable: primitive(hidden !== true, at), configurable: primitive(true, at) }
  return objectOf({ ...parts, ...flags }, at)
}
