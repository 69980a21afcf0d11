/** Reads, writes and deletes properties. */
import type { Node } from '../project.ts'
import { memberCode } from '../sandbox/operations.ts'
import { accessorOf, setsPrototype } from '../values/accessors.ts'
import { distribute, forEachOption } from '../values/distribution.ts'
import { readMember } from '../values/entries.ts'
import { toKey } from '../values/names.ts'
import type { Machine } from '../values/machine.ts'
import { changeOf, changeUnlessRefused } from '../values/restrictions.ts'
import { mayThrow } from '../values/thrown.ts'
import {
  memberOfArray,
  memberOfCollection,
  memberOfFunction,
  memberOfPrimitive,
  promiseMember,
} from '../builtins/members.ts'
import {
  unknownFrom,
  hole,
  mapChoice,
  present,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { ArrayValue, ClassValue, Member, ObjectValue, Value } from '../values/index.ts'

type Key = string | symbol

/** A value with properties of its own. */
type Owner = Extract<Value, { readonly members: Map<Key, Member> }>

/** Reads `owner[key]`. */
export function getProperty(
  m: Machine,
  owner: Value,
  key: Value,
  at: Node,
  receiver: Value = owner,
): Value {
  if (owner.kind === 'choice') {
    return mapChoice(owner, (option) => getProperty(m, option, key, at), at)
  }
  if (owner.kind === 'unknown') return unknownFrom(owner, at)
  const known = m.known(key)
  switch (known.kind) {
    case 'primitive':
      return read(m, owner, toKey(known.value), at, receiver)
    case 'choice':
      return mapChoice(known, (option) => getProperty(m, owner, option, at), at)
    case 'unknown':
      return unknownFrom(known, at)
    default:
      return known.kind === 'deferred' && owner.kind === 'deferred'
        ? m.deferrals.code(memberCode, [owner, known], at)
        : unknown('a property is read by a name that is not known', at)
  }
}

function read(m: Machine, owner: Value, key: Key, at: Node, receiver: Value): Value {
  switch (owner.kind) {
    case 'primitive':
      return memberOfPrimitive(m, owner, key, at)
    case 'array': {
      const index = indexOf(key)
      if (index === undefined) {
        return ownMember(m, owner, owner, key, at) ?? memberOfArray(m, owner, key, at)
      }
      return distribute(m, owner, at, (one) => {
        const list = one as ArrayValue
        return list.uncertainty ?? present(list.elements[index])
      })
    }
    case 'object':
      return readObject(m, owner, receiver, key, at) ?? memberOfCollection(m, owner, key, at)
    case 'class':
      return readClass(m, owner, receiver, key, at) ?? memberOfFunction(m, owner, key, at)
    case 'function':
    case 'native': {
      const own = ownMember(m, owner, owner, key, at)
      if (own !== undefined) return own
      const proto = owner.kind === 'function' ? owner.proto : undefined
      // All functions have the methods of `Function.prototype`.
      return proto === undefined || key in Function.prototype || key === 'prototype'
        ? memberOfFunction(m, owner, key, at)
        : m.get(proto, primitive(key, at), at)
    }
    case 'namespace': {
      const exported = typeof key === 'string' ? owner.read(key) : undefined
      return exported ?? promiseMember(m, owner, key) ?? undefinedValue
    }
    case 'instance':
      return m.boot.member(owner, key, at)
    case 'deferred':
      return m.deferrals.member(owner, key, at)
    case 'choice':
    case 'unknown':
      return owner
  }
}

/** Returns the position that a key names in a list. */
function indexOf(key: Key): number | undefined {
  const index = typeof key === 'string' ? Number(key) : Number.NaN
  return Number.isInteger(index) ? index : undefined
}

/** Reads an own or inherited property; `undefined` when there is none. */
function readObject(
  m: Machine,
  object: ObjectValue,
  receiver: Value,
  key: Key,
  at: Node,
): Value | undefined {
  const own = ownMember(m, object, receiver, key, at)
  if (own !== undefined) return own
  if (object.computeMember !== undefined) return object.computeMember(key, at)
  const { base, proto } = object
  if (base !== undefined) {
    return inheritedMember(m, object, receiver, key, at) ?? m.get(base, primitive(key, at), at)
  }
  if (proto === undefined) return undefined
  // The prototype is `null`: the object lacks the methods of `Object.prototype`.
  if (proto.kind === 'primitive') return undefinedValue
  return proto.kind === 'object'
    ? readObject(m, proto, receiver, key, at)
    : m.get(proto, primitive(key, at), at)
}

/** Reads a member of a class that extends one outside of the source, which doesn't replace methods of the classes that extend it. */
function inheritedMember(
  m: Machine,
  { proto }: ObjectValue,
  receiver: Value,
  key: Key,
  at: Node,
): Value | undefined {
  if (proto?.kind !== 'object' || !extendsUnknown(proto)) return undefined
  return ownMember(m, proto, receiver, key, at) ?? inheritedMember(m, proto, receiver, key, at)
}

function extendsUnknown({ proto }: ObjectValue): boolean {
  return proto?.kind === 'object' ? extendsUnknown(proto) : proto?.kind === 'unknown'
}

function readClass(
  m: Machine,
  owner: ClassValue,
  receiver: Value,
  key: Key,
  at: Node,
): Value | undefined {
  if (key === 'prototype') return owner.prototype
  const own = ownMember(m, owner, receiver, key, at)
  if (own !== undefined) return own
  // Every class has these of its own.
  if (key === 'length' || (key === 'name' && owner.name !== '')) return undefined
  const { parent } = owner
  if (parent?.kind === 'class') return readClass(m, parent, receiver, key, at)
  return parent && m.get(parent, primitive(key, at), at)
}

function ownMember(
  m: Machine,
  owner: Owner,
  receiver: Value,
  key: Key,
  at: Node,
): Value | undefined {
  const member = owner.members.get(key)
  return member && readMember(m, receiver, member, at)
}

export function setProperty(m: Machine, owner: Value, key: Value, value: Value, at: Node): void {
  onEach(m, owner, key, at, (one, name) => setOne(m, one, name, value, at))
}

export function removeProperty(m: Machine, owner: Value, key: Value, at: Node): void {
  onEach(m, owner, key, at, (one, name) => removeOne(m, one, name, at))
}

function onEach(
  m: Machine,
  owner: Value,
  key: Value,
  at: Node,
  run: (owner: Value, key: Value) => void,
): void {
  forEachOption(m, owner, at, (one) => forEachOption(m, m.known(key), at, (name) => run(one, name)))
}

function setOne(m: Machine, owner: Value, known: Value, value: Value, at: Node): void {
  if (owner.kind === 'deferred') {
    m.deferrals.effect('(o, k, v) => { o[k] = v }', [owner, known, value], at)
  }
  if (!('members' in owner)) return
  if (known.kind !== 'primitive') {
    const otherwise = unknown('a property is set by a name that is not known', at)
    const why = known.kind === 'unknown' ? known : otherwise
    if (owner.kind === 'object') m.journal.setBase(owner, why)
    else if (owner.kind === 'array') m.journal.setUncertainty(owner, why)
    return
  }
  const key = toKey(known.value)
  const change = changeOf(owner, key)
  if (owner.kind === 'array') {
    changeUnlessRefused(m, owner, change, at, () => setElement(m, owner, key, value, at))
    return
  }
  const accessor = accessorOf(owner, key)
  if (accessor !== undefined) {
    // Without a setter nothing is written, and strict code throws.
    if (accessor.setter !== undefined) m.call(accessor.setter, owner, [value], at)
    else mayThrow(m, unknown('what is written here cannot be changed', at), at)
  } else if (owner.kind === 'object' && setsPrototype(owner, key)) owner.proto = value
  else {
    changeUnlessRefused(m, owner, change, at, () => {
      m.journal.setMember(owner, key, { value, at, hidden: owner.members.get(key)?.hidden })
    })
  }
}

function setElement(m: Machine, owner: ArrayValue, key: Key, value: Value, at: Node): void {
  const index = indexOf(key)
  if (index !== undefined) {
    const elements = [...owner.elements]
    while (elements.length < index) elements.push(hole)
    elements[index] = value
    m.journal.setElements(owner, elements)
  } else if (key === 'length' && value.kind === 'primitive') {
    const length = Number(value.value)
    const added = Array.from({ length: length - owner.elements.length }, () => hole)
    m.journal.setElements(owner, [...owner.elements.slice(0, length), ...added])
  } else {
    m.journal.setMember(owner, key, { value, at })
  }
}

function removeOne(m: Machine, owner: Value, known: Value, at: Node): void {
  if (owner.kind === 'deferred') {
    m.deferrals.effect('(o, k) => { delete o[k] }', [owner, known], at)
  }
  if (!('members' in owner)) return
  if (known.kind !== 'primitive') {
    const why = unknown('a property is deleted by a name that is not known', at)
    if (owner.kind === 'object') m.journal.setBase(owner, known.kind === 'unknown' ? known : why)
    return
  }
  const key = toKey(known.value)
  const remove = (): void => removeMember(m, owner, key, at)
  if (owner.members.has(key) || owner.kind === 'array') {
    changeUnlessRefused(m, owner, { type: 'delete', key }, at, remove)
  } else remove()
}

function removeMember(m: Machine, owner: Owner, key: Key, at: Node): void {
  if (owner.kind === 'array') {
    const index = indexOf(key)
    if (index !== undefined && index in owner.elements) {
      m.journal.setElements(owner, owner.elements.with(index, hole))
    }
  }
  if (owner.kind === 'object' && owner.base?.kind === 'deferred') {
    const code = '(o, k) => { const { [k]: _, ...rest } = o; return rest }'
    m.journal.setBase(owner, m.deferrals.code(code, [owner.base, primitive(key, at)], at))
  }
  m.journal.deleteMember(owner, key)
}
