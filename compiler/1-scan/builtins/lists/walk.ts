/** Iterates a value step by step, as loops do. */
import type { Machine } from '../../values/machine.ts'
import { absent, array, present } from '../../values/index.ts'
import type { ArrayValue, Collection, ObjectValue, Unknown, Value } from '../../values/index.ts'
import type { Node } from '../../project.ts'
import { isIterator, takeNext } from './iterators.ts'

/** A position in an iteration. */
export interface Position {
  readonly index: number
  /** The entries of a map or set that the index belongs to. */
  readonly entries?: Collection['entries']
}

export interface Step {
  readonly item: Value
  readonly next: Position
}

/** Returns the next step; `undefined` at the end. It sees elements that were added or removed meanwhile. */
export type Walk = (position: Position) => Step | undefined

export const start: Position = { index: 0 }

/** Iterates a value step by step, so that changes during the iteration are seen. Returns why it can't be iterated. */
export function walk(m: Machine, value: Value, at: Node): Walk | Unknown {
  if (value.kind === 'array') return value.uncertainty ?? overElements(value)
  const { collection } = value.kind === 'object' ? value : {}
  if (value.kind !== 'object' || collection === undefined) {
    const items = m.iterate(value, at)
    return Array.isArray(items) ? overElements({ elements: items }) : items
  }
  if (collection.uncertainty !== undefined) return collection.uncertainty
  if (!isIterator(value)) return overEntries(collection, (entry) => itemOf(value, entry, at))
  return ({ index }) => {
    const item = takeNext(m, value)
    return item === undefined ? undefined : { item, next: { index: index + 1 } }
  }
}

type Entry = Collection['entries'][number]

/** Returns an entry as iterating a map or set yields it. */
export function itemOf({ collection }: ObjectValue, entry: Entry, at: Node): Value {
  return collection?.kind === 'map' ? array([...entry], at) : entry[0]
}

export function overElements(list: Pick<ArrayValue, 'elements'>): Walk {
  return ({ index }) => {
    const item = list.elements[index]
    if (item === undefined) return undefined
    return { item: present(item), next: { index: index + 1 } }
  }
}

export function overEntries(collection: Collection, pick: (entry: Entry) => Value): Walk {
  return (position) => {
    const { entries } = collection
    const index = position.index - removedBefore(position, entries)
    const entry = entries[index]
    if (entry === undefined) return undefined
    return { item: pick(entry), next: { index: index + 1, entries } }
  }
}

/** Counts the visited entries that were removed meanwhile. */
function removedBefore({ index, entries }: Position, present: Collection['entries']): number {
  if (entries === undefined || entries === present) return 0
  const keys = new Set(present.map(([key]) => key))
  return entries.slice(0, index).filter(([key]) => !keys.has(key)).length
}

/** Iterates names of properties. Properties that were deleted meanwhile are skipped. */
export function overNames(m: Machine, owner: Value, names: readonly Value[]): Walk {
  const isThere = (name: Value): boolean =>
    owner.kind !== 'object' ||
    owner.base !== undefined ||
    owner.computeMember !== undefined ||
    name.kind !== 'primitive' ||
    m.has(owner, String(name.value))
  return ({ index }) => {
    const found = names.findIndex((name, place) => place >= index && isThere(name))
    return found === -1 ? undefined : { item: names[found] ?? absent, next: { index: found + 1 } }
  }
}
