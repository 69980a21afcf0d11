import type { Node } from '../project.ts'
import { absent, choice, hole, object, primitive, undefinedValue, unknown } from './index.ts'
import type { Choice, Member, ObjectValue, Value } from './index.ts'
import type { Machine } from './machine.ts'
import { privateNameOf } from './names.ts'
import { mergeOrder } from './order.ts'

type Key = string | symbol

/** Some member is set, but nobody knows which one. */
export function overrideAll(m: Machine, result: ObjectValue, key: Value, at: Node): void {
  const why = key.kind === 'unknown' ? key : unknown('the name of a property is not known', at)
  for (const [name, member] of result.members) {
    m.journal.setMember(result, name, { value: choice([member.value, why], at), at: member.at })
  }
  m.journal.setBase(result, why)
}

/** `{ ...value }` into `result`, as `Object.assign` does it as well. */
export function spreadInto(m: Machine, result: ObjectValue, source: Value, at: Node): void {
  const value = source
  switch (value.kind) {
    case 'primitive':
      if (typeof value.value === 'string') {
        for (const [index, text] of [...value.value].entries()) {
          m.journal.setMember(result, String(index), { value: primitive(text, at), at })
        }
      }
      return
    case 'object':
      if (value.exotic !== undefined) {
        overrideAll(m, result, unknown('it depends on the environment', at), at)
      }
      if (value.base !== undefined) spreadInto(m, result, value.base, at)
      for (const [name, member] of value.members) copyMember(m, result, name, member, value, at)
      return
    case 'array':
      if (value.doubt !== undefined) overrideAll(m, result, value.doubt, at)
      for (const [index, element] of value.elements.entries()) {
        if (element !== hole) m.journal.setMember(result, String(index), { value: element, at })
      }
      return
    case 'function':
    case 'native':
    case 'class':
      for (const [name, member] of value.members) copyMember(m, result, name, member, value, at)
      return
    case 'namespace':
      for (const name of value.names()) {
        m.journal.setMember(result, name, { value: value.read(name) ?? undefinedValue, at })
      }
      return
    case 'choice':
      spreadChoice(m, result, value, at)
      return
    case 'deferred':
      spreadOpaque(m, result, m.deferrals.spread(result, value, at))
      return
    case 'unknown':
      if (value.falsy) return
      overrideAll(m, result, { ...value, at }, at)
      return
    case 'instance': {
      overrideAll(m, result, unknown('an instance is spread here', at), at)
    }
  }
}

function copyMember(
  m: Machine,
  result: ObjectValue,
  name: Key,
  member: Member,
  owner: Value,
  at: Node,
): void {
  if (member.hidden === true || privateNameOf(name) !== undefined) return
  const value = member.getter === undefined ? member.value : m.call(member.getter, owner, [], at)
  m.journal.setMember(result, name, { value, at: member.at })
}

export function spreadOpaque(m: Machine, result: ObjectValue, base: Value): void {
  for (const name of result.members.keys()) m.journal.deleteMember(result, name)
  m.journal.setBase(result, base)
}

/** Each member becomes a choice of its own; one that an option lacks keeps what was there before. */
function spreadChoice(m: Machine, result: ObjectValue, source: Choice, at: Node): void {
  const copies = source.options.map((option) => {
    const copy = object(at, { base: result.base, members: new Map(result.members) })
    spreadInto(m, copy, option, at)
    return copy
  })
  mergeCopies(m, result, copies, source, at)
}

/** The object that is one of the copies, as a whole. */
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
  const before = new Map(result.members)
  const names = mergeOrder(copies.map((copy) => [...copy.members.keys()]))
  for (const name of before.keys()) m.journal.deleteMember(result, name)
  for (const name of names) {
    const members = copies.map((copy) => copy.members.get(name))
    const value = choice(
      members.map((member) => member?.value ?? absent),
      at,
      source.key,
    )
    m.journal.setMember(result, name, { value, at: members.find((one) => one)?.at ?? at })
  }
}
