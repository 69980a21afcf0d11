import type { Node } from '../../project.ts'
import { distributeAll, isOptional } from '../../values/distribution.ts'
import type { Machine } from '../../values/machine.ts'
import { attempt } from '../../values/thrown.ts'
import {
  array,
  hole,
  mapChoice,
  present,
  primitive,
  undefinedValue,
  unknown,
} from '../../values/index.ts'
import type { ArrayValue, Value } from '../../values/index.ts'
import { createIterator } from './iterators.ts'
import { appendFlat, callbackMethods, flatten, make, withPlain } from './callbacks.ts'
import type { ArrayMethod } from './callbacks.ts'
import { locate } from './search.ts'

/** Implements a method by JavaScript's own, applied to a copy of the elements. Its arguments must be known. */
function copying(apply: (elements: Value[], plain: readonly number[]) => Value[]): ArrayMethod {
  return (m, owner, args, at) =>
    withPlain(m, args, at, (plain) =>
      make(
        owner,
        attempt(() => apply([...owner.elements], plain), at),
        at,
      ),
    )
}

/** Changes a list in a way that depends on indices. */
function changing(
  m: Machine,
  owner: ArrayValue,
  places: readonly Value[],
  at: Node,
  change: (elements: Value[], plain: readonly number[]) => Value,
): Value {
  const result = withPlain(m, places, at, (plain) => {
    const elements = [...owner.elements]
    const value = change(elements, plain)
    m.journal.setElements(owner, elements)
    return value
  })
  if (result.kind === 'unknown') m.journal.setUncertainty(owner, result)
  return result
}

/** Evaluates `indexOf` and `lastIndexOf`. */
function placeOf(
  m: Machine,
  owner: ArrayValue,
  [wanted = undefinedValue, ...from]: Value[],
  isLast: boolean,
  at: Node,
): Value {
  if (owner.uncertainty !== undefined) return owner.uncertainty
  return withPlain(m, from, at, (plain) => {
    const indices = owner.elements.flatMap((one, index) => (one === hole ? [] : [index]))
    const start = fromIndex(owner.elements.length, plain, isLast)
    const order = isLast
      ? indices.filter((one) => one <= start).reverse()
      : indices.filter((one) => one >= start)
    const values = order.map((one) => owner.elements[one] as Value)
    return locate(m, values, wanted, 'strict', at, (place) =>
      typeof place === 'number' ? primitive(order[place] ?? -1, at) : place,
    )
  })
}

function fromIndex(length: number, [given]: readonly number[], isLast: boolean): number {
  if (given === undefined) return isLast ? length : 0
  const index = Math.trunc(Number(given)) || 0
  return index < 0 ? length + index : index
}

function concat(m: Machine, owner: ArrayValue, given: Value[], at: Node): Value {
  return distributeAll(m, given, at, (args) => {
    const result = make(owner, [...owner.elements], at)
    for (const arg of args) appendFlat(m, result, arg, 1, at)
    return result
  })
}

function join(
  m: Machine,
  owner: ArrayValue,
  [separator = undefinedValue]: Value[],
  at: Node,
): Value {
  if (owner.uncertainty !== undefined) return owner.uncertainty
  const isDefault = separator.kind === 'primitive' && separator.value === undefined
  const glue = isDefault ? primitive(',', at) : separator
  // `undefined` and `null` leave nothing between the separators.
  const text = (element: Value): Value => {
    const value = m.known(element)
    if (value.kind === 'choice') return mapChoice(value, text, at)
    return value.kind === 'primitive' && value.value == null ? primitive('', at) : value
  }
  const parts = owner.elements.flatMap((one) => [glue, text(one)]).slice(1)
  const texts = Array.from({ length: parts.length + 1 }, () => '')
  return m.concat(texts, parts, at)
}

/** Implements a method that returns an iterator. */
function iterating(pick: (element: Value, index: number, at: Node) => Value): ArrayMethod {
  return (_, { elements, uncertainty }, __, at) =>
    createIterator(
      elements.map((element, index) => pick(present(element), index, at)),
      at,
      { uncertainty },
    )
}

export const arrayMethods: Readonly<Record<string, ArrayMethod>> = {
  ...callbackMethods,
  concat,
  join,
  toString: (m: Machine, owner: ArrayValue, _: Value[], at: Node) => join(m, owner, [], at),
  slice: copying((elements, plain) => elements.slice(plain[0], plain[1])),
  toReversed: copying((elements) => elements.reverse().map(present)),
  with: (m, owner, [index = undefinedValue, value = undefinedValue], at) =>
    copying((elements, [place = 0]) => elements.with(place, value).map(present))(
      m,
      owner,
      [index],
      at,
    ),
  toSpliced: (m, owner, args, at) => {
    const copy = make(owner, owner.elements.map(present), at)
    arrayMethods['splice']?.(m, copy, args, at)
    return copy
  },
  push: (m, owner, args, at) => {
    m.journal.setElements(owner, [...owner.elements, ...args])
    return lengthOf(owner, at)
  },
  unshift: (m, owner, args, at) => {
    m.journal.setElements(owner, [...args, ...owner.elements])
    return lengthOf(owner, at)
  },
  pop: (m, owner, _, at) =>
    changing(m, owner, [], at, (elements) => owner.uncertainty ?? present(elements.pop())),
  shift: (m, owner, _, at) =>
    changing(m, owner, [], at, (elements) => owner.uncertainty ?? present(elements.shift())),
  splice: (m, owner, [from, count, ...added], at) => {
    const places = [from, count].filter((one) => one !== undefined)
    return changing(m, owner, places, at, (elements, plain) =>
      make(owner, elements.splice(...(plain as [number, number]), ...added), at),
    )
  },
  reverse: (m, owner, _, at) =>
    changing(m, owner, [], at, (elements) => {
      elements.reverse()
      return owner
    }),
  fill: (m, owner, [value = undefinedValue, ...places], at) =>
    changing(m, owner, places, at, (elements, [start, end]) => {
      elements.fill(value, start, end)
      return owner
    }),
  copyWithin: (m, owner, places, at) =>
    changing(m, owner, places, at, (elements, [target = 0, start = 0, end]) => {
      elements.copyWithin(target, start, end)
      return owner
    }),
  includes: (m, owner, [wanted = undefinedValue, ...from], at) =>
    withPlain(m, from, at, (plain) => {
      const values = owner.elements.slice(
        Math.max(fromIndex(owner.elements.length, plain, false), 0),
      )
      return locate(m, values.map(present), wanted, 'same', at, (place) => {
        if (owner.uncertainty !== undefined && place === -1) return owner.uncertainty
        return typeof place === 'number' ? primitive(place !== -1, at) : place
      })
    }),
  indexOf: (m, owner, args, at) => placeOf(m, owner, args, false, at),
  lastIndexOf: (m, owner, args, at) => placeOf(m, owner, args, true, at),
  flat: (m, owner, [depth = primitive(1, undefined)], at) =>
    withPlain(m, [depth], at, ([levels = 1]) =>
      flatten(m, owner, Math.trunc(Number(levels)) || 0, at),
    ),
  at: (m, owner, [index = undefinedValue], at) =>
    withPlain(
      m,
      [index],
      at,
      ([place = 0]) => owner.uncertainty ?? present(owner.elements.at(place)),
    ),
  entries: iterating((element, index, at) => array([primitive(index, at), element], at)),
  keys: iterating((_, index, at) => primitive(index, at)),
  values: iterating((element) => element),
}

/** Returns the new length of a list. It's rarely used, so a list with optional elements isn't split for it. */
function lengthOf({ elements, uncertainty }: ArrayValue, at: Node): Value {
  if (uncertainty !== undefined) return uncertainty
  return elements.some(isOptional)
    ? unknown('the length of the list depends on a condition', at)
    : primitive(elements.length, at)
}
