/** Methods of lists. */
import type { Node } from '../../project.ts'
import { distributeAll, isOptional } from '../../values/distribution.ts'
import type { Machine } from '../../values/machine.ts'
import { attempt } from '../../values/thrown.ts'
import {
  argumentList,
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
import { appendFlat, callbackMethods, flatten, derived, withPlain } from './callbacks.ts'
import type { ArrayMethod } from './callbacks.ts'
import { locate } from './search.ts'

type Change = (elements: Value[], indices: readonly number[], owner: ArrayValue, at: Node) => Value

/** Implements a method by JavaScript's own, applied to a copy of the elements. Its arguments are indices. */
function copying(apply: (elements: Value[], indices: readonly number[]) => Value[]): ArrayMethod {
  return (m, owner, args, at) =>
    withPlain(m, args, at, (indices) => {
      const elements = attempt(() => apply([...owner.elements], indices), at)
      return derived(owner, elements, at)
    })
}

/** Implements a method that changes the list. Its arguments are indices. */
function changing(change: Change): ArrayMethod {
  return (m, owner, args, at) => {
    const result = withPlain(m, args, at, (indices) => {
      const elements = [...owner.elements]
      const value = change(elements, indices, owner, at)
      m.journal.setElements(owner, elements)
      return value
    })
    if (result.kind === 'unknown') m.journal.setUncertainty(owner, result)
    return result
  }
}

/** Implements a method that adds its arguments. */
function adding(
  merge: (elements: readonly Value[], added: readonly Value[]) => Value[],
): ArrayMethod {
  return (m, owner, args, at) => {
    const added = argumentList(args, at)
    m.journal.setElements(owner, merge(owner.elements, added.elements))
    m.journal.setUncertainty(owner, added.uncertainty)
    const { elements, uncertainty } = owner
    if (uncertainty !== undefined) return uncertainty
    // The new length is rarely used, so a list with optional elements isn't split for it.
    return elements.some(isOptional)
      ? unknown('the length of the list depends on a condition', at)
      : primitive(elements.length, at)
  }
}

/** Implements `indexOf` and `lastIndexOf`. */
function indexMethod(isLast: boolean): ArrayMethod {
  return (m, owner, [wanted = undefinedValue, ...from], at) => {
    if (owner.uncertainty !== undefined) return owner.uncertainty
    return withPlain(m, from, at, ([first]) => {
      const indices = owner.elements.flatMap((one, index) => (one === hole ? [] : [index]))
      const start = startIndex(owner, first, isLast)
      const order = isLast
        ? indices.filter((one) => one <= start).reverse()
        : indices.filter((one) => one >= start)
      const values = order.map((one) => owner.elements[one] as Value)
      return locate(m, values, wanted, 'strict', at, (found) =>
        typeof found === 'number' ? primitive(order[found] ?? -1, at) : found,
      )
    })
  }
}

function startIndex({ elements }: ArrayValue, given: number | undefined, isLast: boolean): number {
  if (given === undefined) return isLast ? elements.length : 0
  const index = Math.trunc(Number(given)) || 0
  return index < 0 ? elements.length + index : index
}

function concat(m: Machine, owner: ArrayValue, given: Value[], at: Node): Value {
  return distributeAll(m, given, at, (args) => {
    const result = derived(owner, [...owner.elements], at)
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
  return (_, { elements, uncertainty }, __, at) => {
    const items = elements.map((element, index) => pick(present(element), index, at))
    return createIterator(items, at, { uncertainty })
  }
}

export const arrayMethods: Readonly<Record<string, ArrayMethod>> = {
  ...callbackMethods,
  concat,
  join,
  toString: (m: Machine, owner: ArrayValue, _: Value[], at: Node) => join(m, owner, [], at),
  slice: copying((elements, plain) => elements.slice(plain[0], plain[1])),
  toReversed: copying((elements) => elements.reverse().map(present)),
  with: (m, owner, [index = undefinedValue, value = undefinedValue], at) => {
    const replace = copying((elements, [first = 0]) => elements.with(first, value).map(present))
    return replace(m, owner, [index], at)
  },
  toSpliced: (m, owner, args, at) => {
    const copy = derived(owner, owner.elements.map(present), at)
    arrayMethods['splice']?.(m, copy, args, at)
    return copy
  },
  push: adding((elements, added) => [...elements, ...added]),
  unshift: adding((elements, added) => [...added, ...elements]),
  pop: changing((elements, _, owner) => owner.uncertainty ?? present(elements.pop())),
  shift: changing((elements, _, owner) => owner.uncertainty ?? present(elements.shift())),
  splice: (m, owner, args, at) => {
    const added = argumentList(args, at, 2)
    const splice = changing((elements, given) =>
      derived(owner, elements.splice(...(given as [number, number]), ...added.elements), at),
    )
    const removed = splice(m, owner, args.slice(0, 2), at)
    m.journal.setUncertainty(owner, added.uncertainty)
    return removed
  },
  reverse: changing((elements, _, owner) => {
    elements.reverse()
    return owner
  }),
  fill: (m, owner, [value = undefinedValue, ...range], at) => {
    const fill = changing((elements, [start, end]) => {
      elements.fill(value, start, end)
      return owner
    })
    return fill(m, owner, range, at)
  },
  copyWithin: changing((elements, [target = 0, start = 0, end], owner) => {
    elements.copyWithin(target, start, end)
    return owner
  }),
  includes: (m, owner, [wanted = undefinedValue, ...from], at) =>
    withPlain(m, from, at, ([first]) => {
      const values = owner.elements.slice(Math.max(startIndex(owner, first, false), 0))
      return locate(m, values.map(present), wanted, 'same', at, (found) => {
        if (owner.uncertainty !== undefined && found === -1) return owner.uncertainty
        return typeof found === 'number' ? primitive(found !== -1, at) : found
      })
    }),
  indexOf: indexMethod(false),
  lastIndexOf: indexMethod(true),
  flat: (m, owner, [depth = primitive(1, undefined)], at) =>
    withPlain(m, [depth], at, ([levels = 1]) =>
      flatten(m, owner, Math.trunc(Number(levels)) || 0, at),
    ),
  at: (m, owner, [index = undefinedValue], at) =>
    withPlain(m, [index], at, ([first = 0]) => {
      return owner.uncertainty ?? present(owner.elements.at(first))
    }),
  entries: iterating((element, index, at) => array([primitive(index, at), element], at)),
  keys: iterating((_, index, at) => primitive(index, at)),
  values: iterating((element) => element),
}
