/** Converts between abstract values and JavaScript values. */
import { readMember } from '../values/properties.ts'
import type { Machine } from '../values/machine.ts'
import { array, objectOf, primitive, unknown, type Scalar, type Value } from '../values/index.ts'
import type { Node } from '../../util/source/project.ts'

type Plain =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly cause: Value }

/** Returns the JavaScript value of a completely known value. */
export function toPlain(m: Machine, value: Value): Plain {
  switch (value.kind) {
    case 'primitive':
      return { ok: true, value: value.value }
    case 'array': {
      if (value.uncertainty !== undefined) return { ok: false, cause: value.uncertainty }
      const items: unknown[] = []
      for (const element of value.elements) {
        const item = toPlain(m, m.known(element))
        if (!item.ok) return item
        items.push(item.value)
      }
      return { ok: true, value: items }
    }
    case 'object': {
      const at = value.at ?? m.entryFile
      if (value.base !== undefined) return { ok: false, cause: value.base }
      if (value.collection !== undefined) return { ok: false, cause: value }
      if (value.computeMember !== undefined) {
        return { ok: false, cause: unknown('it depends on the environment', at) }
      }
      // `JSON.stringify` would call the method.
      if (m.get(value, primitive('toJSON', at), at).kind === 'function') {
        return { ok: false, cause: value }
      }
      const result: [string | symbol, unknown][] = []
      for (const [name, member] of value.members) {
        if (member.hidden === true) continue
        const inner = toPlain(m, m.known(readMember(m, value, member, member.at ?? at)))
        if (!inner.ok) return inner
        result.push([name, inner.value])
      }
      return { ok: true, value: Object.fromEntries(result) }
    }
    default:
      return { ok: false, cause: value }
  }
}

/** Returns the interpreter's value of a JavaScript value. */
export function toValue(plain: unknown, at: Node): Value {
  if (Array.isArray(plain)) {
    const items = plain.map((item) => toValue(item, at))
    return array(items, at)
  }
  if (typeof plain === 'function') return unknown('it is a function of JavaScript itself', at)
  if (typeof plain !== 'object' || plain === null) return primitive(plain as Scalar, at)
  const members = Object.entries(plain).map(([name, value]) => [name, toValue(value, at)] as const)
  return objectOf(Object.fromEntries(members), at)
}
