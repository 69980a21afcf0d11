/** Spreads a value into an object. */
import type { Node } from '../project.ts'
import { ownEntries, readMember } from './entries.ts'
import { choice, copyOf, unknown } from './index.ts'
import type { Choice, ObjectValue, Value } from './index.ts'
import type { Machine } from './machine.ts'
import { privateNameOf } from './names.ts'
import { joinMembers } from './journal.ts'

/** Sets a member whose name isn't known. */
export function overrideAll(m: Machine, result: ObjectValue, key: Value, at: Node): void {
  const why = key.kind === 'unknown' ? key : unknown('the name of a property is not known', at)
  for (const [name, member] of result.members) {
    m.journal.setMember(result, name, { value: choice([member.value, why], at), at: member.at })
  }
  m.journal.setBase(result, why)
}

/** Adds the members of a spread value. */
export function spreadInto(m: Machine, result: ObjectValue, value: Value, at: Node): void {
  switch (value.kind) {
    case 'object':
      if (value.computeMember !== undefined) {
        overrideAll(m, result, unknown('it depends on the environment', at), at)
      }
      if (value.base !== undefined) spreadInto(m, result, value.base, at)
      return copyMembers(m, result, value, at)
    case 'function':
    case 'native':
    case 'class':
      return copyMembers(m, result, value, at)
    case 'choice':
      return spreadChoice(m, result, value, at)
    case 'deferred':
      return spreadOpaque(m, result, m.deferrals.spread(result, value, at))
    case 'unknown':
      return value.falsy ? undefined : overrideAll(m, result, { ...value, at }, at)
    case 'instance':
      return overrideAll(m, result, unknown('an instance is spread here', at), at)
    default: {
      const entries = ownEntries(m, value, at)
      if (!Array.isArray(entries)) return overrideAll(m, result, entries, at)
      for (const [name, one] of entries) m.journal.setMember(result, name, { value: one, at })
    }
  }
}

function copyMembers(
  m: Machine,
  result: ObjectValue,
  owner: Extract<Value, { members: unknown }>,
  at: Node,
): void {
  for (const [name, member] of owner.members) {
    if (member.hidden === true || privateNameOf(name) !== undefined) continue
    m.journal.setMember(result, name, { value: readMember(m, owner, member, at), at: member.at })
  }
}

export function spreadOpaque(m: Machine, result: ObjectValue, base: Value): void {
  for (const name of result.members.keys()) m.journal.deleteMember(result, name)
  m.journal.setBase(result, base)
}

/** Turns each member into a choice. A member that an option lacks keeps its previous value. */
function spreadChoice(m: Machine, result: ObjectValue, source: Choice, at: Node): void {
  const copies = source.options.map((option) => {
    const copy = copyOf(result, at)
    spreadInto(m, copy, option, at)
    return copy
  })
  mergeCopies(m, result, copies, source, at)
}

/** Replaces an object by a choice of its changed copies, member by member. */
export function mergeCopies(
  m: Machine,
  result: ObjectValue,
  copies: readonly ObjectValue[],
  source: Choice,
  at: Node,
): void {
  const opaque = copies.find((copy) => copy.base !== result.base)
  if (opaque?.base !== undefined) {
    spreadOpaque(m, result, choice(copies, at, source.key))
    return
  }
  const members = joinMembers(
    copies.map((copy) => copy.members),
    at,
    source.key,
  )
  for (const name of result.members.keys()) m.journal.deleteMember(result, name)
  for (const [name, member] of members) m.journal.setMember(result, name, member)
}
