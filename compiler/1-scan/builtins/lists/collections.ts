/** `Map` and `Set`. */
import type { Node } from '../../project.ts'
import { distributeAll } from '../../values/distribution.ts'
import type { Machine } from '../../values/machine.ts'
import { array, native, object, primitive, undefinedValue, unknown } from '../../values/index.ts'
import { createIterator, isIterator, iteratorMember } from './iterators.ts'
import { overEntries, start } from './iteration.ts'
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
    setEntry(m, collection, [key, value], at)
  }
  return object(at, { collection })
}

function keysOf({ entries }: Collection): Value[] {
  return entries.map(([key]) => key)
}

function setEntry(m: Machine, collection: Collection, [key, value]: Entry, at: Node): void {
  const { entries } = collection
  locate(m, keysOf(collection), key, 'same', at, (index) => {
    if (typeof index !== 'number') m.journal.setUncertainty(collection, index)
    const changed = entries.map((one, position): Entry =>
      position === index ? [one[0], value] : one,
    )
    const isNew = typeof index !== 'number' || index === -1
    m.journal.setEntries(collection, isNew ? [...entries, [key, value]] : changed)
    return undefinedValue
  })
}

function removeEntry(m: Machine, collection: Collection, key: Value, at: Node): Value {
  const { entries } = collection
  return locate(m, keysOf(collection), key, 'same', at, (index) => {
    if (typeof index !== 'number') {
      m.journal.setUncertainty(collection, index)
      return index
    }
    if (index !== -1) m.journal.setEntries(collection, entries.toSpliced(index, 1))
    return primitive(index !== -1, at)
  })
}

type Method = (m: Machine, owner: CollectionObject, args: Value[], at: Node) => Value

type CollectionObject = ObjectValue & { readonly collection: Collection }

/** Implements a method that looks a key up. */
function lookup(use: (index: number, collection: Collection, at: Node) => Value): Method {
  return (m, { collection }, [key = undefinedValue], at) =>
    locate(m, keysOf(collection), key, 'same', at, (index) =>
      typeof index === 'number' ? use(index, collection, at) : index,
    )
}

function adding(isSet: boolean): Method {
  return (m, owner, [key = undefinedValue, value = undefinedValue], at) => {
    setEntry(m, owner.collection, [key, isSet ? key : value], at)
    return owner
  }
}

function iterating(pick: (entry: Entry, at: Node) => Value): Method {
  return (_, { collection }, __, at) => {
    const items = collection.entries.map((entry) => pick(entry, at))
    return createIterator(items, at)
  }
}

const methods: Readonly<Record<string, Method>> = {
  get: lookup((index, { entries }) => entries[index]?.[1] ?? undefinedValue),
  has: lookup((index, _, at) => primitive(index !== -1, at)),
  set: adding(false),
  add: adding(true),
  delete: (m, { collection }, [key = undefinedValue], at) => removeEntry(m, collection, key, at),
  clear: (m, { collection }) => {
    m.journal.setEntries(collection, [])
    return undefinedValue
  },
  forEach: (m, owner, [callback = undefinedValue], at) => {
    const { uncertainty } = owner.collection
    const call = (value: Value, key: Value): Value =>
      m.call(callback, undefinedValue, [value, key, owner], at)
    if (uncertainty !== undefined) {
      m.journal.repeat(
        () => m.fork([() => call(uncertainty, uncertainty), () => undefinedValue], at),
        uncertainty,
      )
      return undefinedValue
    }
    const over = overEntries(owner.collection, ([key, value]) => array([value, key], at))
    for (let step = over(start); step !== undefined; step = over(step.next)) {
      const [value = undefinedValue, key = undefinedValue] = (step.item as ArrayValue).elements
      call(value, key)
    }
    return undefinedValue
  },
  keys: iterating(([key]) => key),
  values: iterating(([, value]) => value),
  entries: iterating((entry, at) => array([...entry], at)),
}

/** Methods that work with uncertain entries, too. */
const unaffected: ReadonlySet<string | symbol> = new Set(['set', 'add', 'forEach'])

/** Reads a property of a map, set or iterator; `undefined` for other objects and names. */
export function collectionMember(
  m: Machine,
  owner: ObjectValue,
  name: string | symbol,
  at: Node,
): Value | undefined {
  const { collection } = owner
  if (collection === undefined) return undefined
  if (isIterator(owner)) return iteratorMember(m, owner, name)
  if (collection.uncertainty !== undefined && !unaffected.has(name)) return collection.uncertainty
  if (name === 'size') return primitive(collection.entries.length, at)
  const method = typeof name === 'string' && Object.hasOwn(methods, name) && methods[name]
  if (!method) return undefined
  return native(name, (call) => method(m, owner as CollectionObject, call.args, call.at))
}
