/** Methods of lists that call a callback, and helpers of the other methods. */
import { branchOn, distributeAll, truthOf } from '../../values/conditions.ts'
import type { Machine } from '../../values/machine.ts'
import { toPrimitive } from '../../values/primitives.ts'
import { thrownError } from '../../values/thrown.ts'
import {
  absent,
  array,
  hole,
  isCallable,
  present,
  primitive,
  undefinedValue,
  unknown,
} from '../../values/index.ts'
import type { ArrayValue, Scalar, Unknown, Value } from '../../values/index.ts'
import type { Node } from '../../../util/source/project.ts'
import type { Builtin, Builtins, Call } from '../functions.ts'

type ListMethod = Builtin<ArrayValue>

/** Creates a list that is as uncertain as the one that it is computed from. */
export function derived(owner: ArrayValue, elements: Value[], at: Node): ArrayValue {
  return { ...array(elements, at), uncertainty: owner.uncertainty }
}

function undecided(at: Node): Unknown {
  return unknown('the outcome of a callback is not known', at)
}

/** Calls the callback with each element. Elements of an uncertain list are visited under a condition. */
function each(
  call: Call<ArrayValue>,
  callback: Value,
  thisValue: Value,
): { readonly index: number; readonly element: Value; readonly result: Value }[] {
  const { m, self: owner, at } = call
  const { length } = owner.elements
  const results = []
  for (let index = 0; index < length; index++) {
    const element = owner.elements[index]
    if (element === undefined || element === hole) continue
    const run = (): Value => visit(call, callback, thisValue, element, index)
    const result = owner.uncertainty === undefined ? run() : m.fork([run, () => undefinedValue], at)
    results.push({ index, element, result })
  }
  return results
}

function visit(
  { m, self, at }: Call<ArrayValue>,
  callback: Value,
  thisValue: Value,
  element: Value,
  index: number,
): Value {
  return m.call(callback, thisValue, [element, primitive(index, at), self], at)
}

interface Search {
  /** The result of the callback that ends the search. */
  readonly wanted?: boolean
  readonly isBackwards?: boolean
  readonly skipsHoles?: boolean
  readonly found: (element: Value, index: number, at: Node) => Value
  readonly notFound: Scalar
}

/** Calls the callback with one element after the other, until it returns what is wanted. */
function search(options: Search): ListMethod {
  const { wanted = true, isBackwards = false, skipsHoles = false, found, notFound } = options
  return (call, callback, thisValue) => {
    const { m, self: owner, at } = call
    if (owner.uncertainty !== undefined) return owner.uncertainty
    const indices = indicesOf(owner, isBackwards)
    const next = (start: number): Value => {
      // Long lists are searched without recursion.
      for (let position = start; position < indices.length; position++) {
        const index = indices[position] as number
        if (skipsHoles && isMissing(owner, index)) continue
        const one = present(owner.elements[index])
        const result = visit(call, callback, thisValue, one, index)
        const take = (outcome: boolean): Value =>
          outcome === wanted ? found(one, index, at) : next(position + 1)
        const outcome = truthOf(m, result)
        if (outcome === undefined) return branchOn(m, result, at, take)
        if (outcome === wanted) return take(outcome)
      }
      return primitive(notFound, at)
    }
    return next(0)
  }
}

/** Returns whether an element is missing. A callback may have removed it. */
function isMissing({ elements }: ArrayValue, index: number): boolean {
  return (elements[index] ?? hole) === hole
}

function indicesOf({ elements }: ArrayValue, isBackwards: boolean): number[] {
  const indices = elements.map((_, index) => index)
  return isBackwards ? indices.reverse() : indices
}

const toElement = (one: Value): Value => one
const toIndex = (_: Value, index: number, at: Node): Value => primitive(index, at)

function fold(isBackwards: boolean): ListMethod {
  return ({ m, self: owner, at }, callback, ...initial) => {
    const indices = indicesOf(owner, isBackwards)
    let [result] = initial
    if (result === undefined) {
      const first = indices.findIndex((index) => !isMissing(owner, index))
      if (first === -1) {
        throw thrownError('TypeError', 'Reduce of empty array with no initial value', at)
      }
      const [start = 0] = indices.splice(0, first + 1).slice(-1)
      result = present(owner.elements[start])
    }
    for (const index of indices) {
      if (isMissing(owner, index)) continue
      const args = [result, present(owner.elements[index]), primitive(index, at), owner]
      result = m.call(callback, undefinedValue, args, at)
    }
    return owner.uncertainty ?? result
  }
}

/** Replaces the lists among the elements by their elements. */
export function flatten(m: Machine, owner: ArrayValue, levels: number, at: Node): Value {
  const elements = owner.elements.filter((one) => one !== hole)
  // The length of the result depends on which elements are lists.
  return distributeAll(m, elements, at, (given) => {
    const result = derived(owner, [], at)
    for (const one of given) appendFlat(m, result, one, levels, at)
    return { ...result, elements: result.elements.filter((one) => one !== hole) }
  })
}

/** Appends an element, or the elements of it if it's a list. */
export function appendFlat(
  m: Machine,
  result: ArrayValue,
  added: Value,
  levels: number,
  at: Node,
): void {
  const list =
    added.kind === 'deferred' && m.deferrals.isArray(added) ? listOf(m, added, at) : added
  if (list.kind === 'unknown') result.uncertainty ??= list
  if (list.kind !== 'array' || levels < 1) {
    result.elements.push(added)
    return
  }
  const inner = levels === 1 ? list : flatten(m, list, levels - 1, at)
  if (inner.kind !== 'array') {
    result.uncertainty ??= unknown('the length of a nested list depends on a condition', at)
    return
  }
  result.uncertainty ??= inner.uncertainty
  result.elements.push(...inner.elements)
}

/** Returns a list of all iterated values, or why they aren't known. */
export function listOf(m: Machine, value: Value, at: Node): Value {
  const items = m.iterate(value, at)
  return Array.isArray(items) ? array(items, at) : items
}

export const callbackMethods: Builtins<ArrayValue> = {
  map: (call, callback, thisValue) => {
    const { self: owner, at } = call
    const results: Value[] = owner.elements.map(() => hole)
    for (const { index, result } of each(call, callback, thisValue)) results[index] = result
    return derived(owner, results, at)
  },
  forEach: (call, callback, thisValue) => {
    each(call, callback, thisValue)
    return undefinedValue
  },
  filter: (call, callback, thisValue) => {
    const { m, self: owner, at } = call
    const kept: Value[] = []
    for (const { element, result } of each(call, callback, thisValue)) {
      const one = branchOn(m, result, at, (keeps) => (keeps ? element : absent))
      if (one !== absent) kept.push(one)
    }
    return derived(owner, kept, at)
  },
  flatMap: (call, callback, thisValue) => {
    const { m, self: owner, at } = call
    const results = each(call, callback, thisValue).map(({ result }) => result)
    return flatten(m, derived(owner, results, at), 1, at)
  },
  find: search({ found: toElement, notFound: undefined }),
  findLast: search({ isBackwards: true, found: toElement, notFound: undefined }),
  findIndex: search({ found: toIndex, notFound: -1 }),
  findLastIndex: search({ isBackwards: true, found: toIndex, notFound: -1 }),
  some: search({ skipsHoles: true, found: (_, __, at) => primitive(true, at), notFound: false }),
  every: search({
    wanted: false,
    skipsHoles: true,
    found: (_, __, at) => primitive(false, at),
    notFound: true,
  }),
  reduce: fold(false),
  reduceRight: fold(true),
  sort: (call, callback) => {
    const { m, self: owner, at } = call
    const sorted = sortElements(call, callback)
    if (sorted === undefined) m.journal.setUncertainty(owner, undecided(at))
    else m.journal.setElements(owner, sorted)
    return owner
  },
  toSorted: (call, callback) => {
    const sorted = sortElements(call, callback)
    return sorted === undefined
      ? undecided(call.at)
      : derived(call.self, sorted.map(present), call.at)
  },
}

/** Sorts the elements; `undefined` when their order isn't known. */
function sortElements(call: Call<ArrayValue>, callback: Value): Value[] | undefined {
  const { m, self: owner, at } = call
  const known = owner.elements.filter((one) => one !== hole).map((one) => m.known(one))
  let isDecided = known.every((one) => one.kind !== 'choice' && one.kind !== 'unknown')
  const decide = (value: Value): Scalar => {
    isDecided &&= value.kind === 'primitive'
    return value.kind === 'primitive' ? value.value : undefined
  }
  const compare = (a: Value, b: Value): number => {
    if (isCallable(callback)) {
      const result = m.known(m.call(callback, undefinedValue, [a, b], at))
      return Number(decide(toPrimitive(m, result, 'number', at)) ?? 0)
    }
    decide(callback)
    const [first, second] = [a, b].map((one) => String(decide(m.concat(['', ''], [one], at))))
    if (first === second) return 0
    return (first as string) < (second as string) ? -1 : 1
  }
  // `undefined` comes last, whatever the callback returns.
  const isNothing = (one: Value): boolean => one.kind === 'primitive' && one.value === undefined
  const sorted = known.filter((one) => !isNothing(one)).sort(compare)
  const holes = owner.elements.filter((one) => one === hole)
  return isDecided ? [...sorted, ...known.filter(isNothing), ...holes] : undefined
}

/** Calls `use` with plain arguments, under each condition that they depend on. JavaScript converts them to numbers itself. */
export function withPlain(
  m: Machine,
  args: readonly Value[],
  at: Node,
  use: (plain: readonly number[]) => Value,
): Value {
  const known = args.map((arg) => m.known(arg))
  return distributeAll(m, known, at, (values) => {
    const plain: number[] = []
    for (const one of values) {
      if (one.kind === 'unknown') return one
      if (one.kind !== 'primitive') return unknown('an index of a list is not known', at)
      plain.push(one.value as number)
    }
    return use(plain)
  })
}
