import type { Machine } from '../values/machine.ts'
import { array, object, primitive, unknown } from '../values/index.ts'
import type { Scalar, Value } from '../values/index.ts'
import type { Node } from '../project.ts'

export type Plain =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly blame: Value }

/** The JavaScript value of something that is known through and through. */
export function toPlain(m: Machine, value: Value): Plain {
  switch (value.kind) {
    case 'primitive':
      return { ok: true, value: value.value }
    case 'array': {
      if (value.doubt !== undefined) return { ok: false, blame: value.doubt }
      const items: unknown[] = []
      for (const element of value.elements) {
        const item = toPlain(m, m.known(element))
        if (!item.ok) return item
        items.push(item.value)
      }
      return { ok: true, value: items }
    }
    case 'object': {
      if (value.base !== undefined) return { ok: false, blame: value.base }
      if (value.collection !== undefined) return { ok: false, blame: value }
      if (value.exotic !== undefined) {
        const at = value.at ?? m.anywhere
        return { ok: false, blame: unknown('it depends on the environment', at) }
      }
      // It is something else as JSON.
      if (
        m.get(value, primitive('toJSON', value.at ?? m.anywhere), value.at ?? m.anywhere).kind ===
        'function'
      ) {
        return { ok: false, blame: value }
      }
      const result: Record<string | symbol, unknown> = {}
      for (const [name, member] of value.members) {
        if (member.hidden === true) continue
        const raw =
          member.getter === undefined
            ? member.value
            : m.call(member.getter, value, [], member.at as Node)
        const inner = toPlain(m, m.known(raw))
        if (!inner.ok) return inner
        Object.defineProperty(result, name, {
          value: inner.value,
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
      return { ok: true, value: result }
    }
    default:
      return { ok: false, blame: value }
  }
}

/** The other way round. */
export function toValue(plain: unknown, at: Node): Value {
  if (Array.isArray(plain)) {
    return array(
      plain.map((item) => toValue(item, at)),
      at,
    )
  }
  if (typeof plain === 'function') return unknown('it is a function of JavaScript itself', at)
  if (typeof plain !== 'object' || plain === null) return primitive(plain as Scalar, at)
  const result = object(at)
  for (const [name, value] of Object.entries(plain)) {
    result.members.set(name, { value: toValue(value, at), at })
  }
  return result
}
