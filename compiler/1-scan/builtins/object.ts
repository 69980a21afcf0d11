import { accessorOf, isMethod } from '../interpreter/accessors.ts'
import { distributeAll, isOptional } from '../interpreter/distribution.ts'
import type { Machine } from '../interpreter/machine.ts'
import { spreadInto } from '../interpreter/literals.ts'
import { array, native, object, primitive, undefinedValue, unknown } from '../interpreter/values.ts'
import type { Member, NativeValue, ObjectValue, Unknown, Value } from '../interpreter/values.ts'
import type { Node } from '../project.ts'

/** Own string-keyed members in order, with getters called; or why they are not known. */
export function ownEntries(m: Machine, value: Value, at: Node): [string, Value][] | Unknown {
  switch (value.kind) {
    case 'object':
      if (value.exotic !== undefined) return unknown('it depends on the environment', at)
      if (value.base !== undefined) {
        const inherited = ownEntries(m, value.base, at)
        if (!Array.isArray(inherited)) return inherited
        const merged = new Map(inherited)
        for (const [name, member] of stringMembers(value.members))
          merged.set(name, read(m, value, member, at))
        return [...merged]
      }
      if ([...value.members.values()].some((member) => isOptional(member.value))) {
        return unknown('which members it has depends on a condition', at)
      }
      return sorted(
        stringMembers(value.members).map(([name, member]) => [name, read(m, value, member, at)]),
      )
    case 'class':
      return stringMembers(value.members)
        .filter(([, member]) => !isMethod(member.at))
        .map(([name, member]) => [name, read(m, value, member, at)])
    case 'function':
    case 'native':
      return stringMembers(value.members).map(([name, member]) => [
        name,
        read(m, value, member, at),
      ])
    case 'array':
      return value.doubt ?? value.elements.map((element, index) => [String(index), element])
    case 'namespace':
      return value.names().map((name) => [name, value.read(name) ?? undefinedValue])
    case 'deferred':
      return m.deferrals.entries(value, at)
    case 'primitive':
      return typeof value.value === 'string'
        ? [...value.value].map((text, index) => [String(index), primitive(text, at)])
        : []
    case 'unknown':
      return value
    case 'choice':
      return unknown('which object is meant depends on a condition', at)
    case 'instance':
      return unknown('the members of an instance are listed', at)
  }
}

/** Integer-like names come first, in order, as in any JavaScript object. */
function sorted(entries: [string, Value][]): [string, Value][] {
  const isIndex = (name: string): boolean => /^(?:0|[1-9]\d*)$/.test(name)
  const indices = entries
    .filter(([name]) => isIndex(name))
    .sort(([a], [b]) => Number(a) - Number(b))
  return [...indices, ...entries.filter(([name]) => !isIndex(name))]
}

function stringMembers(members: ReadonlyMap<string | symbol, Member>): [string, Member][] {
  return [...members].filter((entry): entry is [string, Member] => typeof entry[0] === 'string')
}

function read(m: Machine, owner: Value, member: Member, at: Node): Value {
  return member.getter === undefined ? member.value : m.call(member.getter, owner, [], at)
}

/** The global `Object`. */
export function objectGlobal(m: Machine): NativeValue {
  const result = native(
    'Object',
    ({ args, at }) => args[0] ?? object(at),
    ({ args, at }) => args[0] ?? object(at),
  )
  const define = (name: string, call: (args: Value[], at: Node) => Value): void => {
    const value = native(`Object.${name}`, ({ args, at }) =>
      distributeAll(m, args, at, (each) => call(each, at)),
    )
    result.members.set(name, { value, at: undefined })
  }
  const list = (name: string, pick: (key: string, value: Value, at: Node) => Value): void => {
    define(name, ([owner = undefinedValue], at) => {
      const entries = ownEntries(m, owner, at)
      if (!Array.isArray(entries)) return entries
      return array(
        entries.map(([key, value]) => pick(key, value, at)),
        at,
      )
    })
  }
  list('keys', (key, value) => primitive(key, value.at))
  list('getOwnPropertyNames', (key, value) => primitive(key, value.at))
  list('values', (_, value) => value)
  list('entries', (key, value, at) => array([primitive(key, value.at), value], at))
  define('assign', ([target = undefinedValue, ...sources], at) => {
    if (target.kind === 'object') {
      for (const source of sources) assignInto(m, target, source, at)
    } else if ('members' in target) {
      for (const source of sources) {
        const entries = ownEntries(m, source, at)
        if (!Array.isArray(entries)) return entries
        for (const [name, value] of entries) m.journal.setMember(target, name, { value, at })
      }
    } else if (target.kind === 'deferred') {
      m.deferrals.effect('(t, ...s) => { Object.assign(t, ...s) }', [target, ...sources], at)
    }
    return target
  })
  define('fromEntries', ([pairs = undefinedValue], at) => {
    const items = m.iterate(pairs, at)
    if (!Array.isArray(items)) return items
    const made = object(at)
    for (const item of items) {
      m.set(made, m.get(item, primitive(0, at), at), m.get(item, primitive(1, at), at), at)
    }
    return made
  })
  define('create', ([proto = undefinedValue], at) =>
    object(at, { proto: proto.kind === 'primitive' ? undefined : proto }),
  )
  define(
    'getPrototypeOf',
    ([owner = undefinedValue], at) =>
      (owner.kind === 'object' ? owner.proto : owner.kind === 'class' ? owner.parent : undefined) ??
      primitive(null, at),
  )
  define('hasOwn', ([owner = undefinedValue, key = undefinedValue], at) => {
    const name = m.known(key)
    if (!('members' in owner) || name.kind !== 'primitive')
      return unknown('which property is asked for is not known', at)
    return primitive(owner.members.has(String(name.value)), at)
  })
  define(
    'defineProperty',
    ([owner = undefinedValue, key = undefinedValue, descriptor = undefinedValue], at) => {
      const value = m.get(descriptor, primitive('value', at), at)
      const getter = m.get(descriptor, primitive('get', at), at)
      const name = m.known(key)
      if ('members' in owner && name.kind === 'primitive' && getter.kind === 'function') {
        m.journal.setMember(owner, String(name.value), { value: undefinedValue, getter, at })
      } else m.set(owner, key, value, at)
      return owner
    },
  )
  for (const name of ['freeze', 'seal', 'preventExtensions', 'setPrototypeOf']) {
    define(name, ([owner = undefinedValue]) => owner)
  }
  return result
}

/** Like a spread, but for properties that are written by calling a setter. */
function assignInto(m: Machine, target: ObjectValue, source: Value, at: Node): void {
  const entries = accessorsMayBeIn(target) ? ownEntries(m, source, at) : undefined
  if (Array.isArray(entries) && entries.some(([name]) => accessorOf(target, name) !== undefined)) {
    for (const [name, value] of entries) m.set(target, primitive(name, at), value, at)
  } else {
    spreadInto(m, target, source, at)
  }
}

function accessorsMayBeIn({ proto, members }: ObjectValue): boolean {
  return proto !== undefined || [...members.values()].some(({ setter }) => setter !== undefined)
}
