/** Lists the properties of a value. */
import { isOptional } from './distribution.ts'
import type { Machine } from './machine.ts'
import { hole, primitive, undefinedValue, unknown } from './index.ts'
import type { Member, Unknown, Value } from './index.ts'
import type { Node } from '../project.ts'

/** Returns the own string-keyed members in order, with getters called, or why they aren't known. */
export function ownEntries(
  m: Machine,
  value: Value,
  at: Node,
  which: 'listed' | 'all' = 'listed',
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

function memberEntries(
  m: Machine,
  owner: Extract<Value, { members: unknown }>,
  at: Node,
  which: 'listed' | 'all',
): [string, Value][] {
  const entries: [string, Value][] = []
  for (const [name, member] of owner.members) {
    if (typeof name !== 'string' || (which === 'listed' && member.hidden === true)) continue
    entries.push([name, readMember(m, owner, member, at)])
  }
  return entries
}

/** Returns the value of a member, calling its getter. */
export function readMember(m: Machine, receiver: Value, member: Member, at: Node): Value {
  return member.getter === undefined ? member.value : m.call(member.getter, receiver, [], at)
}
