/** Own properties of values: their keys, accessors and entries. */
import { ts, type Node } from '../project.ts'
import { primitive, undefinedValue, hole, unknown } from './index.ts'
import type { Primitive, Member, ObjectValue, Owner, Value, Unknown } from './index.ts'
import { isOptional } from './conditions.ts'
import type { Machine } from './machine.ts'

const prefix = 'private name '

/** Returns the key of `.name`. A private name becomes a symbol, so that it differs from the property `'#name'`. */
export function memberName(name: ts.MemberName): Primitive {
  return primitive(ts.isPrivateIdentifier(name) ? privateKey(name) : name.text, name)
}

export function privateKey({ text }: ts.PrivateIdentifier): symbol {
  return Symbol.for(prefix + text)
}

/** Returns the private name with its `#`; `undefined` for other keys. */
export function privateNameOf(key: string | symbol): string | undefined {
  const name = typeof key === 'symbol' ? Symbol.keyFor(key) : undefined
  return name?.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

/** Converts a plain value to a property key. */
export function toKey(value: unknown): string | symbol {
  return typeof value === 'symbol' ? value : String(value)
}

/** Returns the member of a getter or setter, keeping the other one of the pair if it exists already. */
export function accessor(node: ts.AccessorDeclaration, method: Value, known?: Member): Member {
  const own = ts.isGetAccessorDeclaration(node) ? { getter: method } : { setter: method }
  return { value: undefinedValue, at: node, getter: known?.getter, setter: known?.setter, ...own }
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

function inheritedFrom(value: Value): Value | undefined {
  if (value.kind === 'object') return value.proto
  return value.kind === 'class' || value.kind === 'instance' ? value.parent : undefined
}

/** Returns whether a property is known to exist. */
export function hasProperty(owner: Value, key: string): boolean {
  const inherited = inheritedFrom(owner)
  return hasOwnMember(owner, key) || (inherited !== undefined && hasProperty(inherited, key))
}

export function hasOwnMember(owner: Value, key: string): boolean {
  if (owner.kind === 'namespace') return owner.names().includes(key)
  if (owner.kind === 'array' && (owner.elements[Number(key)] ?? hole) !== hole) return true
  return 'members' in owner && owner.members.has(key)
}

/** Returns whether writing the property calls the inherited `__proto__` setter. */
export function setsPrototype({ members, proto }: ObjectValue, key: string | symbol): boolean {
  const inheritsNothing = proto?.kind === 'primitive' && proto.value === null
  return key === '__proto__' && !members.has(key) && !inheritsNothing
}

type Which = 'enumerable' | 'all'

/** Returns the own string-keyed members in order, with getters called, or why they aren't known. */
export function ownEntries(
  m: Machine,
  value: Value,
  at: Node,
  which: Which = 'enumerable',
): [string, Value][] | Unknown {
  switch (value.kind) {
    case 'object': {
      if (value.computeMember !== undefined) return unknown('it depends on the environment', at)
      if (value.base !== undefined) {
        const inherited = ownEntries(m, value.base, at, which)
        if (!Array.isArray(inherited)) return inherited
        return [...new Map([...inherited, ...memberEntries(m, value, at, which)])]
      }
      if ([...value.members.values()].some((member) => isOptional(member.value))) {
        return unknown('its members depend on a condition', at)
      }
      return sorted(memberEntries(m, value, at, which))
    }
    case 'class':
    case 'function':
    case 'native':
      return memberEntries(m, value, at, which)
    case 'array':
      return (
        value.uncertainty ??
        value.elements.flatMap((element, index): [string, Value][] =>
          element === hole ? [] : [[String(index), element]],
        )
      )
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
      return unknown('the object depends on a condition', at)
    case 'instance':
      return unknown('the members of an instance are listed', at)
  }
}

/** Puts integer-like names first, as JavaScript does. */
function sorted(entries: [string, Value][]): [string, Value][] {
  const isIndex = (name: string): boolean => /^(?:0|[1-9]\d*)$/.test(name)
  const indices = entries
    .filter(([name]) => isIndex(name))
    .sort(([a], [b]) => Number(a) - Number(b))
  return [...indices, ...entries.filter(([name]) => !isIndex(name))]
}

function memberEntries(m: Machine, owner: Owner, at: Node, which: Which): [string, Value][] {
  const entries: [string, Value][] = []
  for (const [name, member] of owner.members) {
    if (typeof name !== 'string' || (which === 'enumerable' && member.hidden === true)) continue
    entries.push([name, readMember(m, owner, member, at)])
  }
  return entries
}

/** Returns the value of a member, calling its getter. */
export function readMember(m: Machine, receiver: Value, member: Member, at: Node): Value {
  return member.getter === undefined ? member.value : m.call(member.getter, receiver, [], at)
}
