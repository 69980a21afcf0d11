import type { Node } from '../project.ts'
import { memberCode } from '../sandbox/codes.ts'
import { accessorOf, setsPrototype } from '../values/accessors.ts'
import { forEachOption } from '../values/distribution.ts'
import { distribute } from '../values/distribution.ts'
import { toKey } from '../values/names.ts'
import type { Machine } from '../values/machine.ts'
import { changeIfAllowed, changeOf } from '../values/integrity.ts'
import { mayThrow } from '../values/thrown.ts'
import {
  memberOfArray,
  memberOfCollection,
  memberOfFunction,
  memberOfPrimitive,
  promiseMember,
} from '../builtins/members.ts'
import { blame, hole, mapChoice, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { ArrayValue, Member, ObjectValue, Value } from '../values/index.ts'

type Key = string | symbol

/** The value of `owner[key]`. */
export function getProperty(
  m: Machine,
  owner: Value,
  keyValue: Value,
  at: Node,
  receiver: Value = owner,
): Value {
  if (owner.kind === 'choice') {
    return mapChoice(owner, (option) => getProperty(m, option, keyValue, at), at)
  }
  if (owner.kind === 'unknown') return blame(owner, at)
  const known = m.known(keyValue)
  if (known.kind === 'choice') {
    return mapChoice(known, (option) => getProperty(m, owner, option, at), at)
  }
  if (known.kind === 'deferred' && owner.kind === 'deferred') {
    return m.deferrals.code(memberCode, [owner, known], at)
  }
  if (known.kind !== 'primitive') {
    if (known.kind === 'unknown') return blame(known, at)
    return unknown('a property is read by a name that is not known', at)
  }
  const key = toKey(known.value)
  return read(m, owner, key, at, receiver)
}

function read(m: Machine, owner: Value, key: Key, at: Node, receiver: Value): Value {
  switch (owner.kind) {
    case 'primitive':
      return memberOfPrimitive(m, owner, key, at)
    case 'array': {
      const index = typeof key === 'string' ? Number(key) : Number.NaN
      if (Number.isInteger(index)) {
        return distribute(m, owner, at, (one) => {
          const list = one as ArrayValue
          const element = list.elements[index] ?? hole
          return list.doubt ?? (element === hole ? undefinedValue : element)
        })
      }
      return ownMember(m, owner, owner, key, at) ?? memberOfArray(m, owner, key, at)
    }
    case 'object':
      return readObject(m, owner, receiver, key, at) ?? memberOfCollection(m, owner, key, at)
    case 'class':
      return readClass(m, owner, receiver, key, at) ?? memberOfFunction(m, owner, key, at)
    case 'function':
    case 'native':
      return (
        ownMember(m, owner, owner, key, at) ??
        (owner.kind === 'function' ? inheritedMember(m, owner, key, at) : undefined) ??
        memberOfFunction(m, owner, key, at)
      )
    case 'namespace':
      return (
        (typeof key === 'string' ? owner.read(key) : undefined) ??
        promiseMember(m, owner, key) ??
        undefinedValue
      )
    case 'instance':
      return m.boot.member(owner, key, at)
    case 'deferred':
      return m.deferrals.member(owner, key, at)
    case 'choice':
    case 'unknown':
      return owner
  }
}

/** What a function has from another one that was put behind it; both have the methods of all functions. */
function inheritedMember(
  m: Machine,
  { proto }: Extract<Value, { kind: 'function' }>,
  key: Key,
  at: Node,
): Value | undefined {
  if (proto === undefined || key in Function.prototype || key === 'prototype') return undefined
  return getProperty(m, proto, primitive(key, at), at)
}

/** A property of an object or of what it inherits from; `undefined` when there is none. */
function readObject(
  m: Machine,
  object: ObjectValue,
  receiver: Value,
  key: Key,
  at: Node,
): Value | undefined {
  const own = ownMember(m, object, receiver, key, at)
  if (own !== undefined) return own
  if (object.exotic !== undefined) return object.exotic(key, at)
  if (object.base !== undefined) return getProperty(m, object.base, primitive(key, at), at)
  const { proto } = object
  if (proto === undefined) return undefined
  // `null`: then it has nothing that objects have.
  if (proto.kind === 'primitive') return undefinedValue
  return proto.kind === 'object'
    ? readObject(m, proto, receiver, key, at)
    : getProperty(m, proto, primitive(key, at), at)
}

function readClass(
  m: Machine,
  owner: Extract<Value, { kind: 'class' }>,
  receiver: Value,
  key: Key,
  at: Node,
): Value | undefined {
  if (key === 'prototype') return owner.prototype
  const own = ownMember(m, owner, receiver, key, at)
  if (own !== undefined) return own
  // These every class has of its own.
  if (key === 'length' || (key === 'name' && owner.name !== '')) return undefined
  if (owner.parent?.kind === 'class') return readClass(m, owner.parent, receiver, key, at)
  return owner.parent === undefined
    ? undefined
    : getProperty(m, owner.parent, primitive(key, at), at)
}

function ownMember(
  m: Machine,
  owner: { readonly members: Map<Key, Member> },
  receiver: Value,
  key: Key,
  at: Node,
): Value | undefined {
  const member = owner.members.get(key)
  if (member === undefined) return undefined
  return member.getter === undefined ? member.value : m.call(member.getter, receiver, [], at)
}

/** Whether `key in owner`. */
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

/** `owner[key] = value`. */
export function setProperty(
  m: Machine,
  owner: Value,
  keyValue: Value,
  value: Value,
  at: Node,
): void {
  forEachOption(m, owner, at, (one) =>
    forEachOption(m, m.known(keyValue), at, (key) => setOne(m, one, key, value, at)),
  )
}

function setOne(m: Machine, owner: Value, known: Value, value: Value, at: Node): void {
  switch (owner.kind) {
    case 'deferred':
      m.deferrals.effect('(o, k, v) => { o[k] = v }', [owner, known, value], at)
      return
    case 'unknown':
    case 'primitive':
    case 'namespace':
    case 'choice':
      return
    default:
  }
  if (known.kind !== 'primitive') {
    const why =
      known.kind === 'unknown'
        ? known
        : unknown('a property is set by a name that is not known', at)
    if (owner.kind === 'object') m.journal.setBase(owner, why)
    else if (owner.kind === 'array') m.journal.setDoubt(owner, why)
    return
  }
  const key = toKey(known.value)
  if (owner.kind === 'array') {
    changeIfAllowed(m, owner, { changes: [changeOf(owner, key)], key }, at, () => {
      setElement(m, owner, key, value, at)
    })
  } else {
    const accessor = accessorOf(owner, key)
    if (accessor !== undefined) {
      // Nothing is written then, and modules throw.
      if (accessor.setter !== undefined) m.call(accessor.setter, owner, [value], at)
      else mayThrow(m, unknown('what is written here cannot be changed', at), at)
    } else if (owner.kind === 'object' && setsPrototype(owner, key)) owner.proto = value
    else {
      changeIfAllowed(m, owner, { changes: [changeOf(owner, key)], key }, at, () => {
        m.journal.setMember(owner, key, { value, at, hidden: owner.members.get(key)?.hidden })
      })
    }
  }
}

function setElement(
  m: Machine,
  owner: Extract<Value, { kind: 'array' }>,
  key: Key,
  value: Value,
  at: Node,
): void {
  const index = typeof key === 'string' ? Number(key) : Number.NaN
  if (Number.isInteger(index)) {
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

/** `delete owner[key]`. */
export function removeProperty(m: Machine, owner: Value, keyValue: Value, at: Node): void {
  forEachOption(m, owner, at, (one) =>
    forEachOption(m, m.known(keyValue), at, (key) => removeOne(m, one, key, at)),
  )
}

function removeOne(m: Machine, owner: Value, known: Value, at: Node): void {
  if (owner.kind === 'deferred') {
    m.deferrals.effect('(o, k) => { delete o[k] }', [owner, known], at)
    return
  }
  if (!('members' in owner)) return
  if (known.kind !== 'primitive') {
    const why = unknown('a property is deleted by a name that is not known', at)
    if (owner.kind === 'object') m.journal.setBase(owner, known.kind === 'unknown' ? known : why)
    return
  }
  const key = toKey(known.value)
  if (owner.members.has(key) || owner.kind === 'array') {
    changeIfAllowed(m, owner, { changes: ['delete'], key }, at, () =>
      removeMember(m, owner, key, known, at),
    )
  } else removeMember(m, owner, key, known, at)
}

function removeMember(
  m: Machine,
  owner: Extract<Value, { readonly members: Map<Key, Member> }>,
  key: Key,
  known: Value,
  at: Node,
): void {
  if (owner.kind === 'array') {
    const index = typeof key === 'string' ? Number(key) : Number.NaN
    if (index in owner.elements) {
      m.journal.setElements(owner, owner.elements.with(index, hole))
    }
  }
  if (owner.kind === 'object' && owner.base?.kind === 'deferred') {
    const rest = m.deferrals.code(
      '(o, k) => { const { [k]: _, ...rest } = o; return rest }',
      [owner.base, known],
      at,
    )
    m.journal.setBase(owner, rest)
  }
  m.journal.deleteMember(owner, key)
}
