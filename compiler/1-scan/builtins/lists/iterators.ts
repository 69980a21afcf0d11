/** Iterators and generators. */
import type { Machine } from '../../values/machine.ts'
import { distribute } from '../../values/distribution.ts'
import {
  array,
  native,
  object,
  objectOf,
  primitive,
  undefinedValue,
  unknown,
} from '../../values/index.ts'
import type { ArrayValue, Collection, ObjectValue, Value } from '../../values/index.ts'
import type { Node } from '../../project.ts'
import { callbackMethods, listOf } from './callbacks.ts'

export type Iterator = ObjectValue & { collection: Collection }

/** Creates an iterator over some values. */
export function createIterator(
  items: readonly Value[],
  at: Node,
  extra?: Pick<Collection, 'uncertainty' | 'closes'>,
): Iterator {
  const entries = items.map((item): [Value, Value] => [item, item])
  return object(at, { collection: { kind: 'iterator', entries, ...extra } }) as Iterator
}

/** Creates the iterator that a generator returns: one for each list of values that it may yield. */
export function generatorOf(m: Machine, yields: ArrayValue, at: Node): Value {
  return distribute(m, yields, at, (one) => {
    const { elements, uncertainty } = one as ArrayValue
    return createIterator(elements, at, { uncertainty, closes: true })
  })
}

export function isIterator(value: Value): value is Iterator {
  return value.kind === 'object' && value.collection?.kind === 'iterator'
}

/** Returns the known elements of a list or an iterator, and why there may be others. */
export function partsOf(value: Value): Pick<ArrayValue, 'elements' | 'uncertainty'> {
  if (value.kind === 'array') return value
  if (!isIterator(value)) return { elements: [], uncertainty: undefined }
  const { entries, uncertainty } = value.collection
  return { elements: entries.map(([item]) => item), uncertainty }
}

/** Takes the next value; `undefined` at the end. */
export function takeNext(m: Machine, { collection }: Iterator): Value | undefined {
  const [next, ...rest] = collection.entries
  if (next !== undefined) m.journal.setEntries(collection, rest)
  return next?.[0]
}

/** Leaves an iterator before its end. A generator ends; other iterators can be continued. */
export function leaveEarly(m: Machine, { collection }: Iterator): void {
  if (collection.closes === true && collection.entries.length > 0) {
    m.journal.setEntries(collection, [])
  }
}

/** Returns the list that an array pattern reads. An iterator loses as many values as the pattern has elements, or all with a rest element. */
export function takeForPattern(m: Machine, given: Value, count: number, at: Node): Value {
  return distribute(m, given, at, (value) => {
    if (!isIterator(value)) return value.kind === 'object' ? listOf(m, value, at) : value
    if (value.collection.uncertainty !== undefined) return value.collection.uncertainty
    const items: Value[] = []
    for (let next; items.length < count && (next = takeNext(m, value)) !== undefined;) {
      items.push(next)
    }
    if (items.length === count) leaveEarly(m, value)
    return array(items, at)
  })
}

/** Methods of iterators that lists have as well. These return an iterator again. */
const lazyMethods: ReadonlySet<string> = new Set(['filter', 'flatMap', 'map'])

export function iteratorMember(
  m: Machine,
  owner: Iterator,
  name: string | symbol,
): Value | undefined {
  const { uncertainty } = owner.collection
  if (name === Symbol.iterator || name === Symbol.asyncIterator) {
    return native(String(name), () => owner)
  }
  if (name === 'next' || name === 'return') {
    return native(name, ({ args, at }) => {
      if (uncertainty !== undefined) return uncertainty
      if (name === 'return') m.journal.setEntries(owner.collection, [])
      const next = takeNext(m, owner)
      const last = name === 'return' ? args[0] : undefined
      const value = next ?? last ?? undefinedValue
      return objectOf({ value, done: primitive(next === undefined, at) }, at)
    })
  }
  if (name === 'toArray') return native(name, ({ at }) => listOf(m, owner, at))
  if (name === 'take' || name === 'drop') {
    return unknown(`the build cannot evaluate \`${name}\` of an iterator`, m.entryFile)
  }
  if (typeof name !== 'string' || !Object.hasOwn(callbackMethods, name)) return undefined
  return native(name, ({ args, at }) => {
    const list = listOf(m, owner, at)
    const result = list.kind === 'array' ? callbackMethods[name]?.(m, list, args, at) : list
    return lazyMethods.has(name) && result?.kind === 'array'
      ? createIterator(result.elements, at, { uncertainty: result.uncertainty })
      : (result ?? list)
  })
}
