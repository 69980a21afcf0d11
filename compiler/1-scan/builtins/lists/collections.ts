import type { Node } from '../../project.ts'
import { distributeAll } from '../../values/distribution.ts'
import type { Machine } from '../../values/machine.ts'
import { array, native, object, primitive, undefinedValue, unknown } from '../../values/index.ts'
import { createIterator, isIterator, iteratorMember } from './iterators.ts'
import { overEntries, start } from './live.ts'
import { locate } from './search.ts'
import type {
  ArrayValue,
  Collection,
  NativeCall,
  NativeValue,
  ObjectValue,
  Value,
} from '../../values/index.ts'

type Entry = [Value, Value]

/** The constructors `Map` and `Set`; also for their weak variants. */
export function collectionConstructor(m: Machine, kind: 'map' | 'set'): NativeValue {
  const refuse: NativeCall = ({ at }) => unknown('it is called without `new`', at)
  return native(kind === 'map' ? 'Map' : 'Set', refuse, ({ args, at }) =>
    distributeAll(m, args, at, ([initial]) => createCollection(m, kind, initial, at)),
  )
}

function createCollection(
  m: Machine,
  kind: 'map' | 'set',
  initial: Value | undefined,
  at: Node,
): Value {
  const collection: Collection = { kind, entries: [] }
  const isEmpty = initial === undefined || (initial.kind === 'primitive' && initial.value == null)
  const items = isEmpty ? [] : m.iterate(initial, at)
  if (!Array.isArray(items)) return items
  for (const item of items) {
    const [key, value] =
      kind === 'set'
        ? [item, item]
        : [m.get(item, primitive(0, at), at), m.get(item, primitive(1, at), at)]
    put(m, collection, [key, value], at)
  }
  return object(at, { collection })
}

function keysOf({ entries }: Collection): Value[] {
  return entries.map(([key]) => key)
}

/** Adds an entry, or gives one that is there another value. */
function put(m: Machine, collection: Collection, [key, value]: Entry, at: Node): void {
  const { entries } = collection
  locate(m, keysOf(collection), key, 'same', at, (place) => {
    if (typeof place !== 'number') m.journal.setEntriesDoubt(collection, place)
    const changed = entries.map((one, index): Entry => (index === place ? [one[0], value] : one))
    const isNew = typeof place !== 'number' || place === -1
    m.journal.setEntries(collection, isNew ? [...entries, [key, value]] : changed)
    return undefinedValue
  })
}

function removeEntry(m: Machine, collection: Collection, key: Value, at: Node): Value {
  const { entries } = collection
  return locate(m, keysOf(collection), key, 'same', at, (place) => {
    if (typeof place !== 'number') {
      m.journal.setEntriesDoubt(collection, place)
      return place
    }
    if (place !== -1) m.journal.setEntries(collection, entries.toSpliced(place, 1))
    return primitive(place !== -1, at)
  })
}

/** A method of a map or set; `undefined` for other objects and names. */
export function collectionMember(
  m: Machine,
  owner: ObjectValue,
  name: string | symbol,
  at: Node,
): Value | undefined {
  const { collection } = owner
  if (collection === undefined) return undefined
  if (isIterator(owner)) return iteratorMember(m, owner, name)
  const method = (call: (args: Value[], at: Node) => Value): NativeValue =>
    native(String(name), ({ args, at: place }) => call(args, place))
  const entriesOf = (pick: (entry: Entry) => Value): NativeValue =>
    method((_, place) => createIterator(collection.entries.map(pick), place))
  const { doubt } = collection
  if (doubt !== undefined && name === 'forEach') {
    return method(([callback = undefinedValue], place) => {
      const run = (): Value => m.call(callback, undefinedValue, [doubt, doubt, owner], place)
      m.journal.repeat(() => m.fork([run, () => undefinedValue], place), doubt)
      return undefinedValue
    })
  }
  if (doubt !== undefined && name !== 'set' && name !== 'add') return doubt
  switch (name) {
    case 'size':
      return primitive(collection.entries.length, at)
    case 'get':
      return method(([key = undefinedValue], place) =>
        locate(m, keysOf(collection), key, 'same', place, (index) =>
          typeof index === 'number' ? (collection.entries[index]?.[1] ?? undefinedValue) : index,
        ),
      )
    case 'has':
      return method(([key = undefinedValue], place) =>
        locate(m, keysOf(collection), key, 'same', place, (index) =>
          typeof index === 'number' ? primitive(index !== -1, place) : index,
        ),
      )
    case 'set':
    case 'add':
      return method(([key = undefinedValue, value = undefinedValue], place) => {
        put(m, collection, [key, name === 'add' ? key : value], place)
        return owner
      })
    case 'delete':
      return method(([key = undefinedValue], place) => removeEntry(m, collection, key, place))
    case 'clear':
      return method(() => {
        m.journal.setEntries(collection, [])
        return undefinedValue
      })
    case 'forEach':
      return method(([callback = undefinedValue], place) => {
        const over = overEntries(collection, ([key, value]) => array([value, key], place))
        for (let step = over(start); step !== undefined; step = over(step.next)) {
          m.call(callback, undefinedValue, [...(step.item as ArrayValue).elements, owner], place)
        }
        return undefinedValue
      })
    case 'keys':
      return entriesOf(([key]) => key)
    case 'values':
      return entriesOf(([, value]) => value)
    case 'entries':
      return method((_, place) => createIterator(entryPairs(owner, place), place))
    default:
      return undefined
  }
}

/** `[key, value]` pairs, as iterating a map gives them. */
export function entryPairs(owner: ObjectValue, at: Node): Value[] {
  return (owner.collection?.entries ?? []).map(([key, value]) => array([key, value], at))
}
