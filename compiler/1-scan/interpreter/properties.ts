/** Reads, writes and deletes properties. */
import type { Node } from '../../util/source/project.ts'
import { memberCode } from '../../sandbox/protocol.ts'
import {
  accessorOf,
  indexOf,
  readMember,
  resize,
  setsPrototype,
  toKey,
} from '../values/properties.ts'
import { forEachOption } from '../values/conditions.ts'
import { prototypeOf } from '../values/prototype.ts'
import type { Machine } from '../values/machine.ts'
import { changeRestricted, isRestricted } from '../values/restrictions.ts'
import { mayThrow } from '../values/thrown.ts'
import { builtinMember, memberOfPrimitive } from '../builtins/members.ts'
import { mapChoice } from '../values/choices.ts'
import { unknownFrom, hole, primitive, unknown } from '../values/index.ts'
import type { ArrayValue, Key, ObjectValue, Owner, Value } from '../values/index.ts'

export function getProperty(
  m: Machine,
  owner: Value,
  key: Value,
  at: Node,
  receiver: Value = owner,
): Value {
  if (owner.kind === 'choice') {
    // Only `super` names another receiver, which stays the same for each class that may be extended.
    const receiverOf = (option: Value): Value => (receiver === owner ? option : receiver)
    return mapChoice(owner, (option) => getProperty(m, option, key, at, receiverOf(option)), at)
  }
  if (owner.kind === 'unknown') return unknownFrom(owner, at)
  const known = m.known(key)
  switch (known.kind) {
    case 'primitive':
      return read(m, owner, toKey(known.value), at, receiver)
    case 'choice':
      return mapChoice(known, (option) => getProperty(m, owner, option, at, receiver), at)
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
    case 'namespace': {
      const exported = typeof key === 'string' ? owner.read(key) : undefined
      return exported ?? primitive(undefined, at)
    }
    case 'instance':
      return m.boot.member(owner, key, at)
    case 'deferred':
      return m.deferrals.member(owner, key, at)
    default:
      return lookUp(m, owner, key, at, receiver) ?? primitive(undefined, at)
  }
}

/** Reads a property of an object or of its prototypes. Returns `undefined` if none has it. */
function lookUp(m: Machine, owner: Value, key: Key, at: Node, receiver: Value): Value | undefined {
  // The end of the chain is `null`.
  if (owner.kind === 'primitive') return undefined
  // A class inherits it from a package's class, whose code gets the class as `this`.
  if (owner.kind === 'deferred' && receiver.kind === 'class')
    return m.deferrals.code(
      '(o, k, r) => Reflect.get(o, k, r)',
      [owner, primitive(key, at), receiver],
      at,
    )
  if (!('members' in owner) || owner.kind === 'instance')
    return m.get(owner, primitive(key, at), at)
  const own = ownMember(m, owner, receiver, key, at) ?? builtinMember(m, owner, key, at)
  if (own !== undefined) return own
  if (owner.kind === 'object') {
    if (owner.computeMember !== undefined) return owner.computeMember(key, at)
    if (owner.base !== undefined) {
      return (
        inheritedMember(m, owner, receiver, key, at) ?? m.get(owner.base, primitive(key, at), at)
      )
    }
  }
  return lookUp(m, prototypeOf(m, owner, at), key, at, receiver)
}

/** Reads a member of classes that extend an unknown one, whose constructor is assumed not to replace their methods. */
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
  change(m, owner, key, at, '(o, k, v) => { o[k] = v }', [value], (one, name) =>
    setMember(m, one, name, value, at),
  )
}

export function removeProperty(m: Machine, owner: Value, key: Value, at: Node): void {
  change(m, owner, key, at, '(o, k) => { delete o[k] }', [], (one, name) => {
    const isThere = one.members.has(name) || one.kind === 'array'
    if (isThere && isRestricted(one)) changeRestricted(m, one, name, at)
    else removeMember(m, one, name, at)
  })
}

/**
 * Changes a property of each object that a value may be.
 *
 * @param code changes an object of a package
 */
function change(
  m: Machine,
  owners: Value,
  key: Value,
  at: Node,
  code: string,
  operands: readonly Value[],
  run: (owner: Owner, key: Key) => void,
): void {
  const changeOne = (owner: Value, name: Value): void => {
    if (owner.kind === 'deferred') m.deferrals.effect(code, [owner, name, ...operands], at)
    if (!('members' in owner)) return
    if (name.kind === 'primitive') {
      run(owner, toKey(name.value))
      return
    }
    const otherwise = unknown('a property is changed by a name that is not known', at)
    const why = name.kind === 'unknown' ? name : otherwise
    if (owner.kind === 'object') m.journal.setBase(owner, why)
    else if (owner.kind === 'array') m.journal.setUncertainty(owner, why)
  }
  forEachOption(m, owners, at, (owner) =>
    forEachOption(m, m.known(key), at, (name) => changeOne(owner, name)),
  )
}

function setMember(m: Machine, owner: Owner, key: Key, value: Value, at: Node): void {
  const accessor = owner.kind === 'array' ? undefined : accessorOf(owner, key)
  if (accessor !== undefined) {
    // Without a setter nothing is written, and strict code throws.
    if (accessor.setter !== undefined) m.call(accessor.setter, owner, [value], at)
    else mayThrow(m, unknown('what is written here cannot be changed', at), at)
  } else if (owner.kind === 'object' && setsPrototype(owner, key)) {
    m.journal.setPrototype(owner, value)
  } else if (isRestricted(owner)) changeRestricted(m, owner, key, at)
  else if (owner.kind === 'array') setElement(m, owner, key, value, at)
  else m.journal.setMember(owner, key, { value, at, hidden: owner.members.get(key)?.hidden })
}

function setElement(m: Machine, owner: ArrayValue, key: Key, value: Value, at: Node): void {
  const index = indexOf(key)
  if (index !== undefined) {
    if (index >= owner.elements.length) resize(m, owner, index + 1, at)
    if (index < owner.elements.length) {
      m.journal.setElements(owner, owner.elements.with(index, value))
    }
  } else if (key === 'length' && value.kind === 'primitive') {
    resize(m, owner, Number(value.value), at)
  } else {
    m.journal.setMember(owner, key, { value, at })
  }
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
