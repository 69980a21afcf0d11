/** Properties of values: their keys, accessors and entries. */
import { ts, type Node } from '../../util/source/project.ts'
import { primitive, undefinedValue, hole, unknown } from './index.ts'
import type { ArrayValue, Key, Primitive, Member, ObjectValue, Value, Unknown } from './index.ts'
import { isOptional } from './conditions.ts'
import type { Machine } from './machine.ts'

const prefix = 'private name '

/** Returns the key of `.name`. A private name becomes a symbol, so that it differs from the property `'#name'`. */
export function memberName(name: ts.MemberName): Primitive {
  return primitive(ts.isPrivateIdentifier(name) ? privateKey(name) : name.text, name)
}

export function privateKey({ text }: Pick<ts.PrivateIdentifier, 'text'>): symbol {
  return Symbol.for(prefix + text)
}

/** Returns the private name with its `#`; `undefined` for other keys. */
export function privateNameOf(key: string | symbol): string | undefined {
  const name = typeof key === 'symbol' ? Symbol.keyFor(key) : undefined
  return name?.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

/** Converts a plain value to a property key. */
export function toKey(value: unknown): Key {
  return typeof value === 'symbol' ? value : String(value)
}

/** Returns the member of a getter or setter, keeping the other one of the pair if it exists already. */
export function accessor(node: ts.AccessorDeclaration, method: Value, existing?: Member): Member {
  const { getter, setter } = existing ?? {}
  const isGetter = ts.isGetAccessorDeclaration(node)
  const pair = isGetter ? { getter: method, setter } : { getter, setter: method }
  return { value: undefinedValue, at: node, ...pair }
}

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((one) => one.kind === kind) === true
  )
}

/** Returns the own or inherited accessor of a property. */
export function accessorOf(owner: Value, key: string | symbol): Member | undefined {
  for (let one: Value | undefined = owner; one !== undefined; one = inheritedFrom(one)) {
    const member = 'members' in one ? one.members.get(key) : undefined
    if (member === undefined) continue
    return member.getter === undefined && member.setter === undefined ? undefined : member
  }
  return undefined
}

export function inheritedFrom(value: Value): Value | undefined {
  if (value.kind === 'object') return value.proto
  return value.kind === 'class' || value.kind === 'instance' ? value.parent : undefined
}

/** Returns whether a property exists, perhaps only under a condition. */
export function hasProperty(owner: Value, key: Key): boolean {
  const inherited = inheritedFrom(owner)
  return hasOwnMember(owner, key) || (inherited !== undefined && hasProperty(inherited, key))
}

export function hasOwnMember(owner: Value, key: Key): boolean {
  if (owner.kind === 'namespace') return owner.names().some((name) => name === key)
  if ('members' in owner && owner.members.has(key)) return true
  const index = indexOf(key)
  return index === undefined
    ? builtinNames(owner).some((name) => name === key)
    : (elementsOf(owner)[index] ?? hole) !== hole
}

/** Returns the array index that a key names. */
export function indexOf(key: Key): number | undefined {
  const index = Number(typeof key === 'string' ? key : -1) >>> 0
  return String(index) === key && index < 2 ** 32 - 1 ? index : undefined
}

/** Longer arrays aren't followed: their holes would take all memory. */
const MAX_LENGTH = 1_000_000

/** Sets the length of an array, as writing to `length` does. */
export function resize(m: Machine, owner: ArrayValue, length: number, at: Node): void {
  if (length > MAX_LENGTH) {
    m.journal.setUncertainty(owner, unknown('the array is too long', at))
    return
  }
  const { elements } = owner
  const holes = Array.from({ length: length - elements.length }, () => hole)
  m.journal.setElements(owner, [...elements.slice(0, length), ...holes])
}

/** Returns whether writing the property calls the inherited `__proto__` setter. */
export function setsPrototype({ members, proto }: ObjectValue, key: string | symbol): boolean {
  const inheritsNothing = proto?.kind === 'primitive' && proto.value === null
  return key === '__proto__' && !members.has(key) && !inheritsNothing
}

type Property = [name: string, member: Member]

/** Returns the own enumerable properties in order, with getters called, or why they aren't known. */
export function ownEntries(m: Machine, value: Value, at: Node): [string, Value][] | Unknown {
  const properties = enumerableProperties(m, value, at)
  if (!Array.isArray(properties)) return properties
  return properties.map(([name, member]) => [name, readMember(m, value, member, at)])
}

export function enumerableProperties(m: Machine, value: Value, at: Node): Property[] | Unknown {
  const properties = ownProperties(m, value, at)
  return Array.isArray(properties)
    ? properties.filter(([, { hidden }]) => hidden !== true)
    : properties
}

/** Returns the own string-keyed properties in order, or why they aren't known. */
export function ownProperties(m: Machine, value: Value, at: Node): Property[] | Unknown {
  const unset = unsetProperties(m, value, at)
  if (!Array.isArray(unset)) return unset
  const members = 'members' in value ? [...value.members] : []
  if (members.some(([, member]) => isOptional(member.value))) {
    return unknown('its members depend on a condition', at)
  }
  const set = members.filter((one): one is Property => typeof one[0] === 'string')
  const all = [...new Map([...unset, ...set])]
  const indices = all.filter(([name]) => indexOf(name) !== undefined)
  return [
    ...indices.sort(([a], [b]) => Number(a) - Number(b)),
    ...all.filter(([name]) => indexOf(name) === undefined),
  ]
}

/** Returns the properties that a value has besides its members. */
function unsetProperties(m: Machine, value: Value, at: Node): Property[] | Unknown {
  const toProperty = ([name, one]: [string, Value]): Property => [name, { value: one, at }]
  switch (value.kind) {
    case 'object':
      if (value.computeMember !== undefined) return unknown('it depends on the environment', at)
      return value.base === undefined ? [] : ownProperties(m, value.base, at)
    case 'namespace':
      return value.names().map((name) => toProperty([name, value.read(name) ?? undefinedValue]))
    case 'deferred': {
      const known = m.known(value)
      if (known.kind !== 'deferred') return ownProperties(m, known, at)
      const entries = m.deferrals.entries(known, at)
      return Array.isArray(entries) ? entries.map(toProperty) : entries
    }
    case 'unknown':
      return value
    case 'choice':
      return unknown('the object depends on a condition', at)
    case 'instance':
      return unknown('the members of an instance are listed', at)
    default: {
      if (value.kind === 'array' && value.uncertainty !== undefined) return value.uncertainty
      const elements = elementsOf(value).flatMap((one, index) =>
        one === hole ? [] : [toProperty([String(index), one])],
      )
      const others = builtinNames(value).map((name): Property => [
        name,
        { value: m.get(value, primitive(name, at), at), hidden: true, at },
      ])
      return [...elements, ...others]
    }
  }
}

/** Returns the elements of an array or the characters of a string. */
function elementsOf(value: Value): readonly Value[] {
  if (value.kind === 'array') return value.elements
  if (value.kind !== 'primitive' || typeof value.value !== 'string') return []
  return value.value.split('').map((text) => primitive(text, value.at))
}

/** Returns the names of built-in own properties, which aren't enumerable. */
function builtinNames(value: Value): readonly string[] {
  if (value.kind === 'class') return ['length', 'name', 'prototype']
  if (value.kind === 'native') return ['length', 'name']
  if (value.kind === 'function') {
    return hasPrototype(value.node) ? ['length', 'name', 'prototype'] : ['length', 'name']
  }
  const isText = value.kind === 'primitive' && typeof value.value === 'string'
  return isText || value.kind === 'array' ? ['length'] : []
}

/** Generators have a prototype, even as methods. Other methods, arrow functions and async functions don't. */
function hasPrototype(node: ts.FunctionLikeDeclaration): boolean {
  if (node.asteriskToken !== undefined) return true
  const isFunction = ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node)
  return isFunction && !hasModifier(node, ts.SyntaxKind.AsyncKeyword)
}

/** Returns the value of a member, calling its getter. */
export function readMember(m: Machine, receiver: Value, member: Member, at: Node): Value {
  return member.getter === undefined ? member.value : m.call(member.getter, receiver, [], at)
}
