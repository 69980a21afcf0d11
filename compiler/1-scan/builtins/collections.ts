import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { distributeAll } from '../interpreter/distribution.ts'
import type { Machine } from '../interpreter/machine.ts'
import { truth } from '../interpreter/conditions.ts'
import { binary } from '../interpreter/operators.ts'
import { array, native, object, primitive, undefinedValue, unknown } from '../interpreter/values.ts'
import type { NativeCall, NativeValue, ObjectValue, Value } from '../interpreter/values.ts'

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
  const entries: Entry[] = []
  if (initial !== undefined && !(initial.kind === 'primitive' && initial.value == null)) {
    const items = m.iterate(initial, at)
    if (!Array.isArray(items)) return items
    for (const item of items) {
      const [key, value] =
        kind === 'set'
          ? [item, item]
          : [m.get(item, primitive(0, at), at), m.get(item, primitive(1, at), at)]
      put(m, entries, key, value, at)
    }
  }
  return object(at, { collection: { kind, entries } })
}

function find(m: Machine, entries: readonly Entry[], key: Value, at: Node): number | undefined {
  for (const [index, [known]] of entries.entries()) {
    const equal = truth(m, binary(m, ts.SyntaxKind.EqualsEqualsEqualsToken, known, key, at))
    if (equal === undefined) return undefined
    if (equal) return index
  }
  return -1
}

function put(m: Machine, entries: Entry[], key: Value, value: Value, at: Node): void {
  const index = find(m, entries, key, at)
  if (index === undefined || index === -1) entries.push([key, value])
  else entries[index] = [key, value]
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
  const method = (call: (args: Value[], at: Node) => Value): NativeValue =>
    native(String(name), ({ args, at: place }) => call(args, place))
  const write = (change: (entries: Entry[]) => void): Value => {
    const entries = [...collection.entries]
    change(entries)
    m.journal.setEntries(collection, entries)
    return owner
  }
  if (collection.doubt !== undefined && name !== 'set' && name !== 'add') return collection.doubt
  const undecided = (place: Node): Value => unknown('which entry is meant is not known', place)
  switch (name) {
    case 'size':
      return primitive(collection.entries.length, at)
    case 'get':
      return method(([key = undefinedValue], place) => {
        const index = find(m, collection.entries, key, place)
        if (index === undefined) return undecided(place)
        return collection.entries[index]?.[1] ?? primitive(undefined, place)
      })
    case 'has':
      return method(([key = undefinedValue], place) => {
        const index = find(m, collection.entries, key, place)
        return index === undefined ? undecided(place) : primitive(index !== -1, place)
      })
    case 'set':
      return method(([key = undefinedValue, value = undefinedValue], place) =>
        write((entries) => put(m, entries, key, value, place)),
      )
    case 'add':
      return method(([value = undefinedValue], place) =>
        write((entries) => put(m, entries, value, value, place)),
      )
    case 'delete':
      return method(([key = undefinedValue], place) => {
        const index = find(m, collection.entries, key, place)
        write((entries) => void (index === undefined || index === -1 || entries.splice(index, 1)))
        return primitive(index !== -1, place)
      })
    case 'forEach':
      return method(([callback = undefinedValue], place) => {
        for (const [key, value] of collection.entries) {
          m.call(callback, undefinedValue, [value, key, owner], place)
        }
        return undefinedValue
      })
    case 'keys':
      return method((_, place) =>
        array(
          collection.entries.map(([key]) => key),
          place,
        ),
      )
    case 'values':
      return method((_, place) =>
        array(
          collection.entries.map(([, value]) => value),
          place,
        ),
      )
    case 'entries':
      return method((_, place) => array(entryPairs(owner, place), place))
    default:
      return undefined
  }
}

/** `[key, value]` pairs, as iterating a map gives them. */
export function entryPairs(owner: ObjectValue, at: Node): Value[] {
  return (owner.collection?.entries ?? []).map(([key, value]) => array([key, value], at))
}
