/** Functions that `Object` and `Reflect` have in common. They also see properties that aren't enumerable. */
import { isIterator } from './lists/iterators.ts'
import type { Machine } from '../values/machine.ts'
import { privateNameOf, toKey } from '../values/names.ts'
import { errorName } from '../values/thrown.ts'
import { hasProperty } from '../values/presence.ts'
import {
  addMembers,
  isCallable,
  object,
  objectOf,
  primitive,
  truthiness,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { Member, ObjectValue, Unknown, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import { ownEntries } from '../values/entries.ts'
import { toValue } from './plain.ts'

type Reflection = (m: Machine, args: readonly Value[], at: Node) => Value

export const getOwnPropertyNames: Reflection = (m, [owner = undefinedValue], at) => {
  const names = namesOf(m, owner, at)
  return Array.isArray(names) ? toValue(names, at) : names
}

export const getOwnPropertySymbols: Reflection = (_, [owner = undefinedValue], at) => {
  if (!('members' in owner)) return unknown('its symbols are not known', at)
  const symbols = [...owner.members.keys()].filter(
    (key) => typeof key === 'symbol' && privateNameOf(key) === undefined,
  )
  return toValue(symbols, at)
}

export const getOwnPropertyDescriptor: Reflection = (
  m,
  [owner = undefinedValue, key = undefinedValue],
  at,
) => {
  const name = keyOf(m, key)
  if (!('members' in owner) || name === undefined || isOpen(owner)) {
    return unknown('the descriptor of this property is not known', at)
  }
  const member = owner.members.get(name)
  return member === undefined ? undefinedValue : describeMember(member, at)
}

const getOwnPropertyDescriptors: Reflection = (m, [owner = undefinedValue], at) => {
  const names = namesOf(m, owner, at)
  if (!Array.isArray(names)) return names
  const describe = (name: string): Value =>
    getOwnPropertyDescriptor(m, [owner, primitive(name, at)], at)
  return addMembers(object(at), Object.fromEntries(names.map((name) => [name, describe(name)])), at)
}

export const defineProperty: Reflection = (
  m,
  [owner = undefinedValue, key = undefinedValue, descriptor = undefinedValue],
  at,
) => {
  const name = keyOf(m, key)
  const read = (part: string): Value => m.get(descriptor, primitive(part, at), at)
  if (!('members' in owner) || owner.kind === 'array' || name === undefined) {
    m.set(owner, key, read('value'), at)
    return owner
  }
  const [getter, setter, enumerable] = [read('get'), read('set'), truthiness(read('enumerable'))]
  const known = owner.members.get(name)
  m.journal.setMember(owner, name, {
    value: read('value'),
    getter: isCallable(getter) ? getter : undefined,
    setter: isCallable(setter) ? setter : undefined,
    hidden: hasProperty(descriptor, 'enumerable')
      ? enumerable === false
      : (known?.hidden ?? !known),
    at,
  })
  return owner
}

const defineProperties: Reflection = (
  m,
  [owner = undefinedValue, descriptors = undefinedValue],
  at,
) => {
  const entries = ownEntries(m, descriptors, at)
  if (!Array.isArray(entries)) return entries
  for (const [name, descriptor] of entries) {
    defineProperty(m, [owner, primitive(name, at), descriptor], at)
  }
  return owner
}

const create: Reflection = (m, [proto = undefinedValue, descriptors], at) => {
  const made = object(at, { proto: prototypeFrom(proto, at) })
  if (descriptors === undefined || descriptors.kind === 'primitive') return made
  return defineProperties(m, [made, descriptors], at)
}

export const getPrototypeOf: Reflection = (m, [owner = undefinedValue], at) => {
  const builtin = (name: string): Value =>
    m.get(m.modules.global(name), primitive('prototype', at), at)
  switch (owner.kind) {
    case 'object': {
      if (owner.proto !== undefined) return owner.proto
      const maker = owner.members.get('constructor')?.value
      const isOfClass = maker?.kind === 'class' && maker.prototype === owner
      if (isOfClass && maker.parent?.kind === 'native') return builtin(maker.parent.name)
      if (owner === builtin('Object')) return primitive(null, at)
      return builtin(errorName(owner) ?? builtinOf(owner))
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

export const setPrototypeOf: Reflection = (
  _,
  [owner = undefinedValue, proto = undefinedValue],
  at,
) => {
  if (owner.kind !== 'object' && owner.kind !== 'function') {
    return unknown('its prototype is replaced', at)
  }
  owner.proto = prototypeFrom(proto, at)
  return owner
}

export const reflections: Readonly<Record<string, Reflection>> = {
  create,
  defineProperties,
  defineProperty,
  getOwnPropertyDescriptor,
  getOwnPropertyDescriptors,
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  setPrototypeOf,
}

function prototypeFrom(given: Value, at: Node): Value {
  return given.kind === 'primitive' ? primitive(null, at) : given
}

/** Returns the name of the global constructor of an object without a class. */
export function builtinOf(owner: ObjectValue): 'Object' | 'Map' | 'Set' {
  if (owner.collection === undefined || isIterator(owner)) return 'Object'
  return owner.collection.kind === 'map' ? 'Map' : 'Set'
}

function namesOf(m: Machine, owner: Value, at: Node): string[] | Unknown {
  if ((owner.kind === 'object' || owner.kind === 'class') && !isOpen(owner)) {
    const own = [...owner.members.keys()].filter((key) => typeof key === 'string')
    return owner.kind === 'class' ? ['length', 'name', 'prototype', ...own] : own
  }
  const entries = ownEntries(m, owner, at, 'all')
  return Array.isArray(entries) ? entries.map(([name]) => name) : entries
}

/** Returns whether an object may have unknown members. */
function isOpen(owner: Value): boolean {
  return owner.kind === 'object' && (owner.base !== undefined || owner.computeMember !== undefined)
}

function keyOf(m: Machine, key: Value): string | symbol | undefined {
  const known = m.known(key)
  return known.kind === 'primitive' ? toKey(known.value) : undefined
}

/** Creates a property descriptor. */
export function describeMember(member: Member, at: Node): ObjectValue {
  const { value, getter, setter, hidden } = member
  const isAccessor = getter !== undefined || setter !== undefined
  const parts: Record<string, Value> = isAccessor
    ? { get: getter ?? undefinedValue, set: setter ?? undefinedValue }
    : { value, writable: primitive(true, at) }
  const flags = { enumerable: primitive(hidden !== true, at), configurable: primitive(true, at) }
  return objectOf({ ...parts, ...flags }, at)
}
