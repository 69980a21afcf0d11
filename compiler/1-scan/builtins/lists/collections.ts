/** `Map` and `Set`, and their weak variants. */
import type { Node } from '../../../util/source/project.ts'
import { distributeAll } from '../../values/conditions.ts'
import type { Machine } from '../../values/machine.ts'
import { native, object, primitive, undefinedValue, unknown } from '../../values/index.ts'
import type {
  Collection,
  CollectionObject,
  Iterated,
  NativeValue,
  Value,
} from '../../values/index.ts'
import { invoke, type Builtin, type Builtins } from '../functions.ts'
import { prelude } from '../prelude.ts'
import { createIterator } from './iteration.ts'
import { locate } from './search.ts'

type Entry = [Value, Value]

type Kind = 'Map' | 'Set' | 'WeakMap' | 'WeakSet'

/** Weak collections are represented like the others. */
export function collectionConstructor(m: Machine, name: Kind): NativeValue {
  const kind = name.endsWith('Map') ? 'map' : 'set'
  const refuse: NativeValue['call'] = ({ at }) => unknown('it is called without `new`', at)
  const constructor = native(name, refuse, ({ args, at }) =>
    distributeAll(m, args, at, ([initial = undefinedValue]) => {
      const collection: Collection = { kind, entries: [] }
      const isEmpty = initial.kind === 'primitive' && initial.value == null
      const items = isEmpty ? [] : m.iterate(initial, at)
      if (!Array.isArray(items)) return items
      for (const item of items) {
        const part = (index: number): Value => m.get(item, primitive(index, at), at)
        setEntry(m, collection, kind === 'set' ? [item, item] : [part(0), part(1)], at)
      }
      return object(at, { collection, proto: constructor.members.get('prototype')?.value })
    }),
  )
  return constructor
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

type Method = Builtin<CollectionObject>

function lookup(use: (index: number, collection: Collection, at: Node) => Value): Method {
  return ({ m, self: { collection }, at }, key) =>
    locate(m, keysOf(collection), key, 'same', at, (index) =>
      typeof index === 'number' ? use(index, collection, at) : index,
    )
}

function iterating(by: Iterated['by']): Method {
  return ({ self, at }) => createIterator({ of: self, by }, at)
}

const methods: Builtins<CollectionObject> = {
  get: lookup((index, { entries }) => entries[index]?.[1] ?? undefinedValue),
  has: lookup((index, _, at) => primitive(index !== -1, at)),
  set: ({ m, self, at }, key, value) => {
    setEntry(m, self.collection, [key, value], at)
    return self
  },
  add: ({ m, self, at }, key) => {
    setEntry(m, self.collection, [key, key], at)
    return self
  },
  delete: ({ m, self, at }, key) => removeEntry(m, self.collection, key, at),
  clear: ({ m, self }) => {
    m.journal.setEntries(self.collection, [])
    return undefinedValue
  },
  forEach: ({ m, self, at }, ...args) => m.call(prelude(m, 'eachEntry'), self, args, at),
  keys: iterating('keys'),
  values: iterating('values'),
  entries: iterating('entries'),
  /** A getter. */
  size: ({ self: { collection }, at }) =>
    collection.uncertainty ?? primitive(collection.entries.length, at),
}

/** Methods that work with uncertain entries, too. */
const unaffected: ReadonlySet<string> = new Set(['set', 'add', 'forEach', 'size'])

/** The methods of the prototypes of `Map` and `Set`. */
export const collectionMethods: Builtins = Object.fromEntries(
  Object.entries(methods).map(([name, method]): [string, Builtin] => [
    name,
    ({ m, self, at }, ...args) => {
      const collection = self.kind === 'object' ? self.collection : undefined
      if (collection === undefined) return unknown('it is called without a map or set', at)
      const { uncertainty } = collection
      return uncertainty === undefined || unaffected.has(name)
        ? invoke(method, { m, self: self as CollectionObject, at }, args)
        : m.external.callUnknown(uncertainty, args, at)
    },
  ]),
)
