/** Spreads a value into an object. */
import type { Node } from '../../util/source/project.ts'
import { distribute } from './conditions.ts'
import { ownEntries, readMember, privateNameOf } from './properties.ts'
import { choice } from './choices.ts'
import { copyOf, unknown, type Choice, type ObjectValue, type Value } from './index.ts'
import type { Machine } from './machine.ts'
import { joinMembers } from './journal.ts'

/** Sets a member whose name isn't known. */
export function overrideAll(m: Machine, result: ObjectValue, key: Value, at: Node): void {
  const why = key.kind === 'unknown' ? key : unknown('the name of a property is not known', at)
  for (const [name, member] of result.members) {
    m.journal.setMember(result, name, { value: choice([member.value, why], at), at: member.at })
  }
  m.journal.setBase(result, why)
}

/** Source of functions that add the members of one object to a copy of another, which differ for an own member `__proto__`. */
const spreadCode = '(a, b) => ({ ...a, ...b })'
export const assignCode = '(a, b) => Object.assign({ ...a }, b)'

/** Adds the members of a spread value. */
export function spreadInto(
  m: Machine,
  result: ObjectValue,
  value: Value,
  at: Node,
  code: string = spreadCode,
): void {
  switch (value.kind) {
    case 'object':
      if (value.computeMember !== undefined) {
        overrideAll(m, result, unknown('it depends on the environment', at), at)
      }
      if (value.base !== undefined) spreadInto(m, result, value.base, at, code)
      return copyMembers(m, result, value, at)
    case 'choice':
      return changeUnder(m, result, value, at, (copy, option) =>
        spreadInto(m, copy, option, at, code),
      )
    case 'deferred': {
      const before = copyOf(result, result.at)
      return spreadOpaque(m, result, m.deferrals.code(code, [before, value], at))
    }
    case 'unknown':
      return value.falsy ? undefined : overrideAll(m, result, { ...value, at }, at)
    default:
      return distribute(m, value, at, (one) => {
        const entries = ownEntries(m, one, at)
        if (!Array.isArray(entries)) return overrideAll(m, result, entries, at)
        for (const [name, item] of entries) m.journal.setMember(result, name, { value: item, at })
      })
  }
}

function copyMembers(m: Machine, result: ObjectValue, owner: ObjectValue, at: Node): void {
  for (const [name, member] of owner.members) {
    if (member.hidden === true || privateNameOf(name) !== undefined) continue
    m.journal.setMember(result, name, { value: readMember(m, owner, member, at), at: member.at })
  }
}

/** Replaces all members by a value that includes them. */
export function spreadOpaque(m: Machine, result: ObjectValue, base: Value): void {
  for (const name of result.members.keys()) m.journal.deleteMember(result, name)
  m.journal.setBase(result, base)
}

/** Changes an object under each option of a choice: its members become choices. */
export function changeUnder(
  m: Machine,
  result: ObjectValue,
  { options, key }: Choice,
  at: Node,
  change: (copy: ObjectValue, option: Value) => void,
): void {
  const copies = options.map((option) => {
    const copy = copyOf(result, at)
    change(copy, option)
    return copy
  })
  // Under an option with another base, any member may differ: only a choice of complete copies is right.
  const opaque = copies.find((copy) => copy.base !== result.base)
  if (opaque?.base !== undefined) {
    spreadOpaque(m, result, choice(copies, at, key))
    return
  }
  const all = copies.map((copy) => copy.members)
  for (const name of result.members.keys()) m.journal.deleteMember(result, name)
  for (const [name, member] of joinMembers(all, at, key)) m.journal.setMember(result, name, member)
}
