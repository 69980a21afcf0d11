/** Iterates a value at once. */
import type { Machine } from '../../values/machine.ts'
import { present, primitive, unknown, type Unknown, type Value } from '../../values/index.ts'
import type { Node } from '../../project.ts'
import { itemOf } from './walk.ts'
import { isIterator, takeAll } from './iterators.ts'
import { ownEntries } from '../../values/entries.ts'

/** Returns everything that `for (… of value)` and `...value` visit, or why it isn't known. */
export function iterate(m: Machine, value: Value, at: Node): Value[] | Unknown {
  switch (value.kind) {
    case 'array':
      return value.uncertainty ?? value.elements.map(present)
    case 'primitive':
      return typeof value.value === 'string'
        ? [...value.value].map((text) => primitive(text, at))
        : unknown(`\`${String(value.value)}\` is iterated`, at)
    case 'object':
      if (value.collection === undefined) return iterateByMethod(m, value, at)
      if (isIterator(value)) return takeAll(m, value)
      return (
        value.collection.uncertainty ??
        value.collection.entries.map((one) => itemOf(value, one, at))
      )
    case 'deferred': {
      const known = m.known(value)
      return known === value ? m.deferrals.items(value, at) : iterate(m, known, at)
    }
    case 'choice':
      return unknown('the list depends on a condition', at)
    case 'unknown':
      return value
    default:
      return unknown('the iterated value is not a list', at)
  }
}

/** Iterates an object by its own generator. */
function iterateByMethod(m: Machine, value: Value, at: Node): Value[] | Unknown {
  for (const symbol of [Symbol.iterator, Symbol.asyncIterator]) {
    const method = m.get(value, primitive(symbol, at), at)
    if (method.kind !== 'function') continue
    const made = m.call(method, value, [], at)
    if (isIterator(made)) return takeAll(m, made)
  }
  return unknown('the iterated object is not a list', at)
}

/** Returns the names that `for (… in value)` visits. */
export function keys(m: Machine, value: Value, at: Node): Value[] | Unknown {
  const entries = ownEntries(m, value, at)
  return Array.isArray(entries) ? entries.map(([name]) => primitive(name, at)) : entries
}

/** Returns the items of a list, or of an array-like object such as `{ length: 3 }`. */
export function listItems(m: Machine, source: Value, at: Node): Value[] | Unknown {
  const length = source.kind === 'object' ? source.members.get('length')?.value : undefined
  if (length?.kind !== 'primitive' || typeof length.value !== 'number') {
    return m.iterate(source, at)
  }
  return Array.from({ length: length.value }, (_, index) =>
    m.get(source, primitive(String(index), at), at),
  )
}
