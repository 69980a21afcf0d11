/** Copies values deeply. Objects that occur several times are copied once. */
import type { Machine } from '../values/machine.ts'
import { readMember } from '../values/properties.ts'
import { mapChoice } from '../values/choices.ts'
import { array, object } from '../values/index.ts'
import type { ArrayValue, Deferred, Owner, Value } from '../values/index.ts'
import type { Node } from '../../util/source/project.ts'

export function clone(
  m: Machine,
  root: Value,
  at: Node,
  cloneDeferred: (value: Deferred) => Value = (value) =>
    m.deferrals.code('(v) => structuredClone(v)', [value], at),
): Value {
  const copies = new Map<Value, Value>()
  return visit(root)

  function visit(value: Value): Value {
    const existing = copies.get(value)
    if (existing !== undefined) return existing
    switch (value.kind) {
      case 'array': {
        const copy: ArrayValue = { ...array([], value.at), uncertainty: value.uncertainty }
        copies.set(value, copy)
        copy.elements.push(...value.elements.map(visit))
        copyMembers(value, copy)
        return copy
      }
      case 'object': {
        const { base, proto, computeMember, collection } = value
        const copy = object(value.at ?? at, { base, proto, class: value.class, computeMember })
        copies.set(value, copy)
        if (collection !== undefined) {
          const entries = collection.entries.map(([a, b]): [Value, Value] => [visit(a), visit(b)])
          copy.collection = { ...collection, entries }
        }
        m.deferrals.copyExternalMutations(value, copy)
        copyMembers(value, copy)
        return copy
      }
      case 'deferred':
        return cloneDeferred(value)
      case 'choice':
        return mapChoice(value, visit, at)
      default:
        return value
    }
  }
  function copyMembers(from: Owner, to: Owner): void {
    for (const [name, member] of from.members) {
      if (typeof name === 'symbol' || member.hidden === true) continue
      // A copy has the values of getters.
      const value = visit(readMember(m, from, member, at))
      to.members.set(name, { value, at: member.at })
    }
  }
}
