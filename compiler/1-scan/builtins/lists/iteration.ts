/** Iterates values: step by step, as loops do, or at once. Iterators and generators are objects that know what they have visited. */
import type { Machine } from '../../values/machine.ts'
import {
  absent,
  array,
  present,
  primitive,
  unknown,
  native,
  object,
  objectOf,
  undefinedValue,
} from '../../values/index.ts'
import type {
  ArrayValue,
  Collection,
  CollectionObject,
  Iterated,
  Unknown,
  Key,
  Value,
} from '../../values/index.ts'
import type { Node } from '../../../util/source/project.ts'
import { hasProperty, inheritedFrom, ownProperties } from '../../values/properties.ts'
import { choice } from '../../values/choices.ts'
import { ended } from '../../values/generators.ts'
import { currentElements, distribute, isOptional } from '../../values/conditions.ts'
import { invoke } from '../functions.ts'
import { callbackMethods, listOf } from './callbacks.ts'

export interface Position {
  readonly index: number
  /** The entries of a map or set that the index belongs to, at least those before it. */
  readonly entries?: Collection['entries']
}

interface Step {
  readonly item: Value
  readonly next: Position
}

/** Returns the next step; `undefined` at the end. In lists, maps and sets it sees elements that were added or removed meanwhile. */
export type Walk = (position: Position) => Step | undefined

export const start: Position = { index: 0 }

/** Returns everything that `for (… of value)` and `...value` visit, or why it isn't known. */
export function iterate(m: Machine, value: Value, at: Node): Value[] | Unknown {
  const over = walk(m, value, at)
  if (typeof over !== 'function') return over
  const items: Value[] = []
  for (let step = over(start); step !== undefined; step = over(step.next)) items.push(step.item)
  return items
}

/** Iterates a value step by step, so that changes during the iteration are seen. Returns why it can't be iterated. */
export function walk(m: Machine, value: Value, at: Node): Walk | Unknown {
  switch (value.kind) {
    case 'array':
      return value.uncertainty ?? overElements(value)
    case 'primitive':
      return typeof value.value === 'string'
        ? overElements({ elements: [...value.value].map((text) => primitive(text, at)) })
        : unknown(`\`${String(value.value)}\` is iterated`, at)
    case 'object': {
      const { collection } = value
      if (collection === undefined) return walkByMethod(m, value, at)
      if (!isIterator(value)) {
        const by = collection.kind === 'map' ? 'entries' : 'keys'
        return collection.uncertainty ?? overEntries(collection, by, at)
      }
      const { uncertainty } = partsOf(m, value, at)
      if (uncertainty !== undefined) return uncertainty
      return ({ index }) => {
        // A generator may have lost its values since the loop began.
        const lost = uncertaintyOf(value.collection)
        const item = lost === undefined ? takeNext(m, value, at) : choice([absent, lost], at)
        return item && { item, next: { index: index + 1 } }
      }
    }
    case 'deferred': {
      const known = m.known(value)
      if (known !== value) return walk(m, known, at)
      const items = m.deferrals.items(value, at)
      return Array.isArray(items) ? overElements({ elements: items }) : items
    }
    case 'choice':
      return unknown('the list depends on a condition', at)
    case 'unknown':
      return value
    default:
      return unknown('the iterated value is not a list', at)
  }
}

/** Iterates an object by its iterator method. */
function walkByMethod(m: Machine, value: Value, at: Node): Walk | Unknown {
  for (const symbol of [Symbol.iterator, Symbol.asyncIterator]) {
    const method = m.get(value, primitive(symbol, at), at)
    if (method.kind !== 'function') continue
    const made = m.call(method, value, [], at)
    if (isIterator(made)) return walk(m, made, at)
  }
  return unknown('the iterated object is not a list', at)
}

type Entry = Collection['entries'][number]

const picks: Readonly<Record<Iterated['by'], (entry: Entry, at: Node) => Value>> = {
  keys: ([key]) => key,
  values: ([, value]) => value,
  entries: (entry, at) => array([...entry], at),
}

export function overElements(list: Pick<ArrayValue, 'elements'>): Walk {
  return ({ index }) => {
    const item = list.elements[index]
    if (item === undefined) return undefined
    return { item: present(item), next: { index: index + 1 } }
  }
}

function overEntries(collection: Collection, by: Iterated['by'], at: Node): Walk {
  return (position) => {
    const { entries } = collection
    const index = countVisited(position, entries)
    const entry = entries[index]
    if (entry === undefined) return undefined
    return { item: picks[by](entry, at), next: { index: index + 1, entries } }
  }
}

/** Counts the visited entries that still exist. They precede all others, unless they were removed and added again. */
function countVisited({ index, entries }: Position, current: Collection['entries']): number {
  if (entries === undefined || entries === current) return index
  let count = 0
  for (const [key] of entries.slice(0, index)) if (current[count]?.[0] === key) count++
  return count
}

/** Iterates what an iterator was created for, as it is now. */
function overIterated(m: Machine, { of, by }: Iterated, at: Node): Walk {
  if (of.kind === 'object') return overEntries(of.collection, by, at)
  return ({ index }) => {
    const element = currentElements(m, of)[index]
    if (element === undefined) return undefined
    const item = picks[by]([primitive(index, at), present(element)], at)
    return { item, next: { index: index + 1 } }
  }
}

/** Iterates the names that `for (… in value)` visits. Properties that were deleted meanwhile are skipped. */
export function walkNames(m: Machine, value: Value, at: Node): Walk | Unknown {
  const isEnumerable = new Map<string, boolean>()
  for (let one: Value | undefined = value; one !== undefined; one = inheritedFrom(one)) {
    const properties = ownProperties(m, one, at)
    if (!Array.isArray(properties)) return properties
    for (const [name, { hidden }] of properties) {
      if (!isEnumerable.has(name)) isEnumerable.set(name, hidden !== true)
    }
  }
  const names = [...isEnumerable.keys()].filter((name) => isEnumerable.get(name))
  const isOpen = (): boolean =>
    !('members' in value) || (value.kind === 'object' && value.base !== undefined)
  return ({ index }) => {
    const found = names.findIndex(
      (name, place) => place >= index && (isOpen() || hasProperty(value, name)),
    )
    const name = names[found]
    return name === undefined
      ? undefined
      : { item: primitive(name, at), next: { index: found + 1 } }
  }
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

/** Returns the arguments that the items of a list become. A list that isn't known makes this argument and all after it unknown. */
export function spreadArguments(list: Value, items: Value[] | Unknown, at: Node): Value[] {
  const isOpen = list.kind === 'array' && list.elements.some(isOptional)
  if (Array.isArray(items) && !isOpen) return items
  const why = Array.isArray(items)
    ? unknown('the number of arguments depends on a condition', at)
    : items
  return [{ ...why, isSpread: true }]
}

type Iterator = CollectionObject & { collection: { iterated: Iterated } }

export function createIterator(iterated: Iterated, at: Node, closes = false): Value {
  return object(at, { collection: { kind: 'iterator', entries: [], iterated, closes } })
}

/** Creates the iterator that a generator returns: one for each list of values that it may yield. */
export function generatorOf(m: Machine, yields: ArrayValue, at: Node): Value {
  return distribute(m, yields, at, (one) =>
    createIterator({ of: one as ArrayValue, by: 'values' }, at, true),
  )
}

export function isIterator(value: Value): value is Iterator {
  return value.kind === 'object' && value.collection?.kind === 'iterator'
}

/** Returns the known elements of a list, or those that an iterator hasn't visited, and why there may be others. */
export function partsOf(
  m: Machine,
  value: Value,
  at: Node,
): Pick<ArrayValue, 'elements' | 'uncertainty'> {
  if (value.kind === 'array') return value
  const elements: Value[] = []
  if (!isIterator(value)) return { elements, uncertainty: undefined }
  m.generators.goOn(value.collection)
  const { entries, iterated } = value.collection
  const over = overIterated(m, iterated, at)
  let step = entries === ended ? undefined : over({ index: entries.length, entries })
  for (; step !== undefined; step = over(step.next)) elements.push(step.item)
  const open = elements.some(isOptional)
    ? unknown('the list depends on a condition', at)
    : undefined
  return { elements, uncertainty: uncertaintyOf(value.collection) ?? open }
}

function uncertaintyOf({ uncertainty, iterated }: Iterator['collection']): Unknown | undefined {
  const { of } = iterated
  return uncertainty ?? (of.kind === 'array' ? of : of.collection).uncertainty
}

/** Takes the next value; `undefined` at the end. */
function takeNext(m: Machine, { collection }: Iterator, at: Node): Value | undefined {
  const { entries, iterated } = collection
  if (entries === ended) return undefined
  m.generators.goOn(collection)
  const step = overIterated(m, iterated, at)({ index: entries.length, entries })
  if (step === undefined) {
    m.journal.setEntries(collection, ended)
    return undefined
  }
  const { item, next } = step
  const visited = next.entries?.slice(0, next.index) ?? [...entries, [item, item]]
  m.journal.setEntries(collection, visited)
  return item
}

/** Leaves an iterator before its end. A generator ends; other iterators can be continued. */
export function leaveEarly(m: Machine, { collection }: Iterator): void {
  if (collection.closes === true && collection.entries !== ended) {
    m.generators.goOn(collection)
    m.journal.setEntries(collection, ended)
  }
}

/** Returns the list that an array pattern reads. An iterator loses as many values as the pattern has elements, or all with a rest element. */
export function takeForPattern(m: Machine, given: Value, count: number, at: Node): Value {
  return distribute(m, given, at, (value) => {
    if (!isIterator(value)) return value.kind === 'object' ? listOf(m, value, at) : value
    const { uncertainty } = partsOf(m, value, at)
    if (uncertainty !== undefined) return uncertainty
    const items: Value[] = []
    for (let next; items.length < count && (next = takeNext(m, value, at)) !== undefined;) {
      items.push(next)
    }
    if (items.length === count) leaveEarly(m, value)
    return array(items, at)
  })
}

/** Methods of lists that return an iterator when they are called on one. */
const lazyMethods: ReadonlySet<string> = new Set(['filter', 'flatMap', 'map'])

export function iteratorMember(m: Machine, owner: Iterator, name: Key): Value | undefined {
  if (name === Symbol.iterator || name === Symbol.asyncIterator) {
    return native(String(name), () => owner)
  }
  if (name === 'next' || name === 'return') {
    return native(name, ({ args, at }) => {
      const { uncertainty } = partsOf(m, owner, at)
      if (uncertainty !== undefined) return uncertainty
      if (name === 'return') leaveEarly(m, owner)
      const next = takeNext(m, owner, at)
      const last = name === 'return' ? args[0] : undefined
      const value = next ?? last ?? undefinedValue
      return objectOf({ value, done: primitive(next === undefined, at) }, at)
    })
  }
  if (name === 'toArray') return native(name, ({ at }) => listOf(m, owner, at))
  if (name === 'take' || name === 'drop') {
    return unknown(`the build cannot evaluate \`${name}\` of an iterator`, m.entryFile)
  }
  const method =
    typeof name === 'string' && Object.hasOwn(callbackMethods, name) && callbackMethods[name]
  if (!method) return undefined
  return native(name, ({ args, at }) => {
    const list = listOf(m, owner, at)
    if (list.kind !== 'array') return list
    const result = invoke(method, { m, self: list, at }, args)
    return lazyMethods.has(name) && result.kind === 'array'
      ? createIterator({ of: result, by: 'values' }, at)
      : result
  })
}
