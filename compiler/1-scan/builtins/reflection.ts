import type { Machine } from '../values/machine.ts'
import { privateNameOf } from '../values/names.ts'
import {
  array,
  isCallable,
  object,
  primitive,
  truthiness,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { Member, ObjectValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import { ownEntries } from './lists/entries.ts'

/** Functions that `Object` and `Reflect` have in common: they see what listings leave out. */
export type Reflection = (m: Machine, args: readonly Value[], at: Node) => Value

type Key = string | symbol

export const getOwnPropertyNames: Reflection = (m, [owner = undefinedValue], at) => {
  const names = namesOf(m, owner, at)
  return Array.isArray(names)
    ? array(
        names.map((name) => primitive(name, at)),
        at,
      )
    : names
}

export const getOwnPropertySymbols: Reflection = (_, [owner = undefinedValue], at) => {
  if (!('members' in owner)) return unknown('which symbols it has is not known', at)
  const symbols = [...owner.members.keys()].filter(
    (key) => typeof key === 'symbol' && privateNameOf(key) === undefined,
  )
  return array(
    symbols.map((symbol) => primitive(symbol, at)),
    at,
  )
}

export const getOwnPropertyDescriptor: Reflection = (
  m,
  [owner = undefinedValue, key = undefinedValue],
  at,
) => {
  const name = keyOf(m, key)
  if (!('members' in owner) || name === undefined || isOpen(owner)) {
    return unknown('how this property is described is not known', at)
  }
  const member = owner.members.get(name)
  return member === undefined ? undefinedValue : describeMember(member, at)
}

export const getOwnPropertyDescriptors: Reflection = (m, [owner = undefinedValue], at) => {
  const names = namesOf(m, owner, at)
  if (!Array.isArray(names)) return names
  const result = object(at)
  for (const name of names) {
    const value = getOwnPropertyDescriptor(m, [owner, primitive(name, at)], at)
    result.members.set(name, { value, at })
  }
  return result
}

export const defineProperty: Reflection = (
  m,
  [owner = undefinedValue, key = undefinedValue, descriptor = undefinedValue],
  at,
) => {
  const name = keyOf(m, key)
  if (!('members' in owner) || owner.kind === 'array' || name === undefined) {
    m.set(owner, key, m.get(descriptor, primitive('value', at), at), at)
    return owner
  }
  const read = (part: string): Value => m.get(descriptor, primitive(part, at), at)
  const [getter, setter, enumerable] = [read('get'), read('set'), truthiness(read('enumerable'))]
  const known = owner.members.get(name)
  m.journal.setMember(owner, name, {
    value: read('value'),
    getter: isCallable(getter) ? getter : undefined,
    setter: isCallable(setter) ? setter : undefined,
    hidden: m.has(descriptor, 'enumerable') ? enumerable === false : (known?.hidden ?? !known),
    at,
  })
  return owner
}

export const defineProperties: Reflection = (
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

export const create: Reflection = (m, [proto = undefinedValue, descriptors], at) => {
  const made = object(at, { proto: proto.kind === 'primitive' ? primitive(null, at) : proto })
  if (descriptors === undefined || descriptors.kind === 'primitive') return made
  return defineProperties(m, [made, descriptors], at)
}

export const getPrototypeOf: Reflection = (m, [owner = undefinedValue], at) => {
  const builtin = (name: string): Value =>
    m.get(m.modules.global(name), primitive('prototype', at), at)
  const none = primitive(null, at)
  switch (owner.kind) {
    case 'object':
      if (owner.proto !== undefined) return owner.proto
      return owner === builtin('Object') ? none : builtin(kindOf(owner))
    case 'array':
      return builtin('Array')
    case 'class':
      return owner.parent ?? builtin('Function')
    case 'function':
      return owner.proto ?? builtin('Function')
    case 'native':
      return builtin('Function')
    default:
      return unknown('what it inherits from is not known', at)
  }
}

export const setPrototypeOf: Reflection = (
  _,
  [owner = undefinedValue, proto = undefinedValue],
  at,
) => {
  const given = proto.kind === 'primitive' ? primitive(null, at) : proto
  if (owner.kind === 'object' || owner.kind === 'function') owner.proto = given
  else return unknown('it inherits from something else from here on', at)
  return owner
}

function kindOf({ collection }: ObjectValue): string {
  if (collection === undefined) return 'Object'
  if (collection.kind === 'iterator') return 'Object'
  return collection.kind === 'map' ? 'Map' : 'Set'
}

function namesOf(
  m: Machine,
  owner: Value,
  at: Node,
): string[] | Extract<Value, { kind: 'unknown' }> {
  if ((owner.kind === 'object' || owner.kind === 'class') && !isOpen(owner)) {
    const own = [...owner.members.keys()].filter((key) => typeof key === 'string')
    return owner.kind === 'class' ? ['length', 'name', 'prototype', ...own] : own
  }
  const entries = ownEntries(m, owner, at, 'all')
  return Array.isArray(entries) ? entries.map(([name]) => name) : entries
}

/** Whether there may be members that are not known. */
function isOpen(owner: Value): boolean {
  return owner.kind === 'object' && (owner.base !== undefined || owner.exotic !== undefined)
}

function keyOf(m: Machine, key: Value): Key | undefined {
  const known = m.known(key)
  if (known.kind !== 'primitive') return undefined
  return typeof known.value === 'symbol' ? known.value : String(known.value)
}

/** A member as `Object.getOwnPropertyDescriptor` gives it. */
export function describeMember(member: Member, at: Node): ObjectValue {
  const { value, getter, setter } = member
  const descriptor = object(at)
  const set = (name: string, part: Value): void =>
    void descriptor.members.set(name, { value: part, at })
  if (getter === undefined && setter === undefined) {
    set('value', value)
    set('writable', primitive(true, at))
  } else {
    set('get', getter ?? undefinedValue)
    set('set', setter ?? undefinedValue)
  }
  set('enumerable', primitive(member.hidden !== true, at))
  set('configurable', primitive(true, at))
  return descriptor
}
