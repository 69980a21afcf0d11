import { whether } from '../../values/conditions.ts'
import { distributeAll, distributeChoice } from '../../values/distribution.ts'
import type { Machine } from '../../values/machine.ts'
import { toPrimitive } from '../../values/primitives.ts'
import { thrownError } from '../../values/thrown.ts'
import {
  absent,
  array,
  hole,
  isCallable,
  primitive,
  undefinedValue,
  unknown,
} from '../../values/index.ts'
import type { ArrayValue, Unknown, Value } from '../../values/index.ts'
import type { Node } from '../../project.ts'

export type ArrayMethod = (m: Machine, owner: ArrayValue, args: Value[], at: Node) => Value

/** A list of the same doubts as the one that it is made of. */
export function make(owner: ArrayValue, elements: Value[], at: Node): ArrayValue {
  return { ...array(elements, at), doubt: owner.doubt }
}

export function indecisive(at: Node): Unknown {
  return unknown('the outcome of a callback is not known', at)
}

/** Calls the callback with each element that is there, those in doubt under a condition, and gives what it returns. */
function each(
  m: Machine,
  owner: ArrayValue,
  [callback, thisValue]: readonly (Value | undefined)[],
  at: Node,
): { readonly index: number; readonly element: Value; readonly result: Value }[] {
  const { length } = owner.elements
  const results = []
  for (let index = 0; index < length; index++) {
    const element = owner.elements[index]
    if (element === undefined || element === hole) continue
    const run = (): Value => visit(m, owner, callback, thisValue, element, index, at)
    const result = owner.doubt === undefined ? run() : m.fork([run, () => undefinedValue], at)
    results.push({ index, element, result })
  }
  return results
}

function visit(
  m: Machine,
  owner: Value,
  callback: Value | undefined,
  thisValue: Value | undefined,
  element: Value,
  index: number,
  at: Node,
): Value {
  const args = [element, primitive(index, at), owner]
  return m.call(callback ?? undefinedValue, thisValue ?? undefinedValue, args, at)
}

/** Asks the callback for one element after the other, until it gives the `wanted` answer. */
function decide(
  wanted: boolean,
  { indices, skipsHoles }: Places,
  found: (element: Value, index: number, at: Node) => Value,
  otherwise: (at: Node) => Value,
): ArrayMethod {
  return (m, owner, [callback, thisValue], at) => {
    if (owner.doubt !== undefined) return owner.doubt
    const ask = ([index, ...rest]: readonly number[]): Value => {
      if (index === undefined) return otherwise(at)
      if (skipsHoles && isMissing(owner, index)) return ask(rest)
      const element = present(owner.elements[index])
      const result = visit(m, owner, callback, thisValue, element, index, at)
      const take = (answer: boolean): Value =>
        answer === wanted ? found(element, index, at) : ask(rest)
      return whether(m, result, take, (arms, key) => m.fork(arms, at, key))
    }
    return ask(indices(owner))
  }
}

/** Whether nothing is there at an index; a callback may have removed it. */
function isMissing({ elements }: ArrayValue, index: number): boolean {
  return (elements[index] ?? hole) === hole
}

/** An element as it is read. */
export function present(element: Value | undefined): Value {
  return element === undefined || element === hole ? undefinedValue : element
}

/** Which elements are visited, in their order: no more than there are at first. */
interface Places {
  readonly indices: (owner: ArrayValue) => number[]
  readonly skipsHoles: boolean
}

const upwards = ({ elements }: ArrayValue): number[] => elements.map((_, index) => index)
const downwards = (owner: ArrayValue): number[] => upwards(owner).reverse()
const forwards: Places = { indices: upwards, skipsHoles: false }
const backwards: Places = { indices: downwards, skipsHoles: false }
const filled: Places = { indices: upwards, skipsHoles: true }
const filledBackwards: Places = { indices: downwards, skipsHoles: true }
const itself = (element: Value): Value => element
const place = (_: Value, index: number, at: Node): Value => primitive(index, at)
const yes = (_: Value, __: number, at: Node): Value => primitive(true, at)
const no = (_: Value, __: number, at: Node): Value => primitive(false, at)
const nothing = (at: Node): Value => primitive(undefined, at)
const nowhere = (at: Node): Value => primitive(-1, at)

function fold(places: Places): ArrayMethod {
  return (m, owner, [callback, ...initial], at) => {
    const indices = places.indices(owner)
    let [result] = initial
    if (result === undefined) {
      const filledIndex = indices.findIndex((index) => !isMissing(owner, index))
      const [first] = filledIndex === -1 ? [] : indices.splice(0, filledIndex + 1).slice(-1)
      if (first === undefined) {
        throw thrownError('TypeError', 'Reduce of empty array with no initial value', at)
      }
      result = present(owner.elements[first])
    }
    for (const index of indices) {
      if (isMissing(owner, index)) continue
      const args = [result, present(owner.elements[index]), primitive(index, at), owner]
      result = m.call(callback ?? undefinedValue, undefinedValue, args, at)
    }
    return owner.doubt ?? result
  }
}

/** The elements of the lists among the elements, and the other ones as they are. */
export function flatten(m: Machine, owner: ArrayValue, levels: number, at: Node): Value {
  // Whether an element is a list decides how long the result is.
  return distributeAll(
    m,
    owner.elements.filter((one) => one !== hole),
    at,
    (elements) => {
      const result = make(owner, [], at)
      for (const element of elements) addFlat(m, result, element, levels, at)
      return result
    },
  )
}

function addFlat(m: Machine, result: ArrayValue, element: Value, levels: number, at: Node): void {
  const list =
    element.kind === 'deferred' && m.deferrals.isArray(element) ? listOf(m, element, at) : element
  if (list.kind === 'unknown') result.doubt ??= list
  if (list.kind !== 'array' || levels < 1) {
    result.elements.push(element)
    return
  }
  const inner = levels === 1 ? list : flatten(m, list, levels - 1, at)
  if (inner.kind !== 'array') {
    result.doubt ??= unknown('how long a list inside of it is depends on a condition', at)
    return
  }
  result.doubt ??= inner.doubt
  result.elements.push(...inner.elements.filter((one) => one !== hole))
}

/** The list that a package has made. */
export function listOf(m: Machine, value: Value, at: Node): Value {
  const items = m.iterate(value, at)
  return Array.isArray(items) ? array(items, at) : items
}

export const callbackMethods: Readonly<Record<string, ArrayMethod>> = {
  map: (m, owner, args, at) => {
    const results: Value[] = owner.elements.map(() => hole)
    for (const { index, result } of each(m, owner, args, at)) results[index] = result
    return make(owner, results, at)
  },
  forEach: (m, owner, args, at) => {
    each(m, owner, args, at)
    return undefinedValue
  },
  filter: (m, owner, args, at) => {
    const kept: Value[] = []
    for (const { element, result } of each(m, owner, args, at)) {
      const take = (keeps: boolean): Value => (keeps ? element : absent)
      const one = whether(m, result, take, (arms, key) => m.fork(arms, at, key))
      if (one !== absent) kept.push(one)
    }
    return make(owner, kept, at)
  },
  flatMap: (m, owner, args, at) => {
    const results = each(m, owner, args, at).map(({ result }) => result)
    return flatten(m, make(owner, results, at), 1, at)
  },
  find: decide(true, forwards, itself, nothing),
  findLast: decide(true, backwards, itself, nothing),
  findIndex: decide(true, forwards, place, nowhere),
  findLastIndex: decide(true, backwards, place, nowhere),
  some: decide(true, filled, yes, (at) => primitive(false, at)),
  every: decide(false, filled, no, (at) => primitive(true, at)),
  reduce: fold(filled),
  reduceRight: fold(filledBackwards),
  sort: (m, owner, args, at) => {
    const sorted = inOrder(m, owner, args[0], at)
    if (sorted === undefined) m.journal.setDoubt(owner, indecisive(at))
    else m.journal.setElements(owner, sorted)
    return owner
  },
  toSorted: (m, owner, args, at) => {
    const sorted = inOrder(m, owner, args[0], at)
    return sorted === undefined ? indecisive(at) : make(owner, sorted.map(present), at)
  },
}

/** The elements in order; `undefined` when that is not known. */
function inOrder(
  m: Machine,
  owner: ArrayValue,
  callback: Value | undefined,
  at: Node,
): Value[] | undefined {
  let isDecided = true
  const textOf = (value: Value): string => {
    const text = m.concat(['', ''], [value], at)
    isDecided &&= text.kind === 'primitive'
    return text.kind === 'primitive' ? String(text.value) : ''
  }
  const compare = (a: Value, b: Value): number => {
    if (callback !== undefined && isCallable(callback)) {
      const result = m.known(m.call(callback, undefinedValue, [a, b], at))
      const order = toPrimitive(m, result, 'number', at)
      isDecided &&= order.kind === 'primitive'
      return order.kind === 'primitive' ? Number(order.value) : 0
    }
    isDecided &&= callback === undefined || callback.kind === 'primitive'
    const [first, second] = [textOf(a), textOf(b)]
    return first < second ? -1 : first > second ? 1 : 0
  }
  const there = owner.elements.filter((one) => one !== hole)
  const known = there.map((one) => m.known(one))
  // Whatever the callback says, `undefined` comes last.
  isDecided &&= !known.some((one) => one.kind === 'choice' || one.kind === 'unknown')
  const isNothing = (one: Value): boolean => one.kind === 'primitive' && one.value === undefined
  const sorted = known.filter((one) => !isNothing(one)).sort(compare)
  const nothings = known.filter(isNothing)
  const holes = owner.elements.filter((one) => one === hole)
  return isDecided ? [...sorted, ...nothings, ...holes] : undefined
}

/** Uses arguments as the plain values that they are, under each condition that they depend on. */
export function withPlain(
  m: Machine,
  args: readonly Value[],
  at: Node,
  use: (plain: never[]) => Value,
): Value {
  const known = (values: readonly Value[], done: never[]): Value => {
    const [first, ...rest] = values
    if (first === undefined) return use(done)
    return distributeChoice(m, m.known(first), at, (one) => {
      if (one.kind === 'primitive') return known(rest, [...done, one.value as never])
      return one.kind === 'unknown' ? one : unknown('a place in a list is not known', at)
    })
  }
  return known(args, [])
}
