import { isOptional } from '../../values/distribution.ts'
import type { Machine } from '../../values/machine.ts'
import { hole, primitive, undefinedValue, unknown } from '../../values/index.ts'
import type { Member, Unknown, Value } from '../../values/index.ts'
import type { Node } from '../../project.ts'

/** Own string-keyed members in order, with getters called; or why they are not known. */
export function ownEntries(
  m: Machine,
  value: Value,
  at: Node,
  which: 'listed' | 'all' = 'listed',
): [string, Value][] | Unknown {
  switch (value.kind) {
    case 'object':
      if (value.exotic !== undefined) return unknown('it depends on the environment', at)
      if (value.base !== undefined) {
        const inherited = ownEntries(m, value.base, at, which)
        if (!Array.isArray(inherited)) return inherited
        const merged = new Map(inherited)
        for (const [name, member] of stringMembers(value.members, which))
          merged.set(name, read(m, value, member, at))
        return [...merged]
      }
      if ([...value.members.values()].some((member) => isOptional(member.value))) {
        return unknown('which members it has depends on a condition', at)
      }
      return sorted(
        stringMembers(value.members, which).map(([name, member]) => [
          name,
          read(m, value, member, at),
        ]),
      )
    case 'class':
      return stringMembers(value.members, which).map(([name, member]) => [
        name,
        read(m, value, member, at),
      ])
    case 'function':
    case 'native':
      return stringMembers(value.members, which).map(([name, member]) => [
        name,
        read(m, value, member, at),
      ])
    case 'array':
      return (
        value.doubt ??
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

function stringMembers(
  members: ReadonlyMap<string | symbol, Member>,
  which: 'listed' | 'all',
): [string, Member][] {
  return [...members].filter(
    (entry): entry is [string, Member] =>
      typeof entry[0] === 'string' && (which === 'all' || entry[1].hidden !== true),
  )
}

function read(m: Machine, owner: Value, member: Member, at: Node): Value {
  return member.getter === undefined ? member.value : m.call(member.getter, owner, [], at)
}
