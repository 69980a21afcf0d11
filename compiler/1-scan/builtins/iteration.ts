import type { Machine } from '../interpreter/machine.ts'
import { primitive, unknown } from '../interpreter/values.ts'
import type { Unknown, Value } from '../interpreter/values.ts'
import type { Node } from '../project.ts'
import { entryPairs } from './collections.ts'
import { ownEntries } from './object.ts'

/** What `for (… of value)` and `...value` give, or why that is not known. */
export function iterate(m: Machine, value: Value, at: Node): Value[] | Unknown {
  switch (value.kind) {
    case 'array':
      // In doubt the elements are a superset; whoever needs them exactly looks at `doubt`.
      return [...value.elements]
    case 'primitive':
      if (typeof value.value === 'string')
        return [...value.value].map((text) => primitive(text, at))
      return unknown(`something that is ${String(value.value)} is iterated`, at)
    case 'object':
      if (value.collection?.kind === 'map') return entryPairs(value, at)
      if (value.collection?.kind === 'set') return value.collection.entries.map(([key]) => key)
      return unknown('an object is iterated that is no list', at)
    case 'deferred':
      return m.deferrals.items(value, at)
    case 'choice': {
      const lists = value.options.map((option) => iterate(m, option, at))
      const failed = lists.find((list) => !Array.isArray(list))
      if (failed !== undefined && !Array.isArray(failed)) return failed
      return [...new Set(lists.flatMap((list) => (Array.isArray(list) ? list : [])))]
    }
    case 'unknown':
      return value
    default:
      return unknown('something is iterated that is no list', at)
  }
}

/** The names that `for (… in value)` visits. */
export function keys(m: Machine, value: Value, at: Node): Value[] | Unknown {
  const entries = ownEntries(m, value, at)
  return Array.isArray(entries) ? entries.map(([name]) => primitive(name, at)) : entries
}
