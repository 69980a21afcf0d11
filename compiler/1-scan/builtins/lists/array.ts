/** Methods of lists. */
import { distribute, distributeAll, isOptional, limitOptional } from '../../values/conditions.ts'
import { changeRestricted, isRestricted } from '../../values/restrictions.ts'
import { attempt } from '../../values/thrown.ts'
import { mapChoice } from '../../values/choices.ts'
import { argumentList, array, hole, present, primitive, unknown } from '../../values/index.ts'
import type { ArrayValue, Iterated, Value } from '../../values/index.ts'
import { invoke, type Builtin, type Builtins, type Call } from '../functions.ts'
import { createIterator } from './iteration.ts'
import { appendFlat, callbackMethods, derived, flatten, withPlain } from './callbacks.ts'
import { locate } from './search.ts'

type ListMethod = Builtin<ArrayValue>

/** Methods that only move elements, with the number of arguments that are indices. Further arguments are elements. */
const moving = {
  at: 1,
  copyWithin: 3,
  pop: 0,
  push: 0,
  reverse: 0,
  shift: 0,
  slice: 2,
  splice: 2,
  toReversed: 0,
  toSpliced: 2,
  unshift: 0,
  with: 1,
} as const

/** Methods that change their list. */
export const changing: ReadonlySet<string> = new Set(
  'copyWithin fill pop push reverse shift sort splice unshift'.split(' '),
)

/** Implements a method that only moves elements by JavaScript's own, applied to a copy of the elements. */
function move(
  { m, self: owner, at }: Call<ArrayValue>,
  name: keyof typeof moving | 'fill',
  indices: readonly Value[],
  others: readonly Value[],
): Value {
  const isChange = changing.has(name)
  const takes = name === 'pop' || name === 'shift'
  if (takes && owner.uncertainty !== undefined) return owner.uncertainty
  const added = argumentList(others, at)
  const result = withPlain(m, indices, at, (plain) => {
    const elements = [...owner.elements]
    const args = name === 'fill' ? [...added.elements, ...plain] : [...plain, ...added.elements]
    const moved: unknown = attempt(() => Reflect.apply(elements[name], elements, args), at)
    if (isChange) m.journal.setElements(owner, elements)
    if (moved === elements) return owner
    const uncertainty = owner.uncertainty ?? added.uncertainty
    if (Array.isArray(moved)) {
      const list = moved as Value[]
      // These copies have no holes, and may contain added elements.
      const isCopy = name === 'with' || name === 'toReversed' || name === 'toSpliced'
      return isCopy ? { ...array(list.map(present), at), uncertainty } : derived(owner, list, at)
    }
    if (uncertainty !== undefined) return uncertainty
    if (typeof moved !== 'number') return present(moved as Value | undefined)
    // The new length is rarely used, so a list with optional elements isn't split for it.
    return elements.some(isOptional)
      ? unknown('the length of the list depends on a condition', at)
      : primitive(moved, at)
  })
  if (isChange) {
    const isOpen = indices.length > 0 && result.kind === 'unknown'
    m.journal.setUncertainty(owner, isOpen ? result : added.uncertainty)
  }
  return result
}

function indexMethod(isLast: boolean): ListMethod {
  return ({ m, self: owner, at }, wanted, ...from) => {
    if (owner.uncertainty !== undefined) return owner.uncertainty
    return withPlain(m, from, at, (given) => {
      const indices = owner.elements.flatMap((one, index) => (one === hole ? [] : [index]))
      const start = startIndex(owner, given, isLast)
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

/** @param given the argument `fromIndex`: `lastIndexOf(x, undefined)` starts at 0, `lastIndexOf(x)` at the end */
function startIndex({ elements }: ArrayValue, given: readonly unknown[], isLast: boolean): number {
  if (given.length === 0) return isLast ? elements.length : 0
  const index = Math.trunc(Number(given[0])) || 0
  return index < 0 ? elements.length + index : index
}

const join: ListMethod = ({ m, self: owner, at }, separator) => {
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

function iterating(by: Iterated['by']): ListMethod {
  return ({ self, at }) => createIterator({ of: self, by }, at)
}

const listMethods: Builtins<ArrayValue> = {
  ...callbackMethods,
  ...Object.fromEntries(
    Object.entries(moving).map(([name, count]): [string, ListMethod] => [
      name,
      (call, ...args) =>
        move(call, name as keyof typeof moving, args.slice(0, count), args.slice(count)),
    ]),
  ),
  fill: (call, value, ...range) => move(call, 'fill', range, [value]),
  concat: ({ m, self: owner, at }, ...given) =>
    distributeAll(m, given, at, (args) => {
      const result = derived(owner, [...owner.elements], at)
      for (const arg of args) appendFlat(m, result, arg, 1, at)
      return result
    }),
  join,
  toString: (call: Call<ArrayValue>) => invoke(join, call, []),
  includes: ({ m, self: owner, at }, wanted, ...from) =>
    withPlain(m, from, at, (given) => {
      const values = owner.elements.slice(Math.max(startIndex(owner, given, false), 0))
      return locate(m, values.map(present), wanted, 'same', at, (found) => {
        if (owner.uncertainty !== undefined && found === -1) return owner.uncertainty
        return typeof found === 'number' ? primitive(found !== -1, at) : found
      })
    }),
  indexOf: indexMethod(false),
  lastIndexOf: indexMethod(true),
  flat: ({ m, self: owner, at }, depth) =>
    withPlain(m, [depth], at, ([levels = 1]) =>
      flatten(m, owner, Math.trunc(Number(levels)) || 0, at),
    ),
  entries: iterating('entries'),
  keys: iterating('keys'),
  values: iterating('values'),
}

/** The methods of `Array.prototype`. Most are called for each list that a list with optional elements may be. */
export const arrayMethods: Builtins = Object.fromEntries(
  Object.entries(listMethods).map(([name, method]): [string, Builtin] => [
    name,
    (call, ...args) => callMethod(call, name, method, args),
  ]),
)

function callMethod(call: Call, name: string, method: ListMethod, args: Value[]): Value {
  const { m, self: list, at } = call
  if (list.kind !== 'array') return unknown('an array method is called without an array', at)
  const apply = (self: Value): Value => invoke(method, { m, self: self as ArrayValue, at }, args)
  if (changing.has(name)) {
    if (isRestricted(list)) return changeRestricted(m, list, undefined, at)
    // Adding elements at an end doesn't change the others, so a list with optional elements isn't split.
    if (name === 'push' || name === 'unshift') return apply(list)
    list.uncertainty ??= (limitOptional(m, list) as ArrayValue).uncertainty
  }
  return distribute(m, list, at, apply)
}
