import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { distributeAll } from '../interpreter/distribution.ts'
import type { Machine } from '../interpreter/machine.ts'
import { truth, whether } from '../interpreter/conditions.ts'
import { binary } from '../interpreter/operators.ts'
import { absent, array, primitive, undefinedValue, unknown } from '../interpreter/values.ts'
import type { ArrayValue, Unknown, Value } from '../interpreter/values.ts'

type ArrayMethod = (m: Machine, owner: ArrayValue, args: Value[], at: Node) => Value

/** Calls `visit` with each element until it gives something; a doubt about the elements wins. */
function each(
  m: Machine,
  owner: ArrayValue,
  callback: Value | undefined,
  at: Node,
  visit: (result: Value, element: Value, index: number) => Value | undefined,
): Value | undefined {
  for (const [index, element] of [...owner.elements].entries()) {
    const args = [element, primitive(index, at), owner]
    const call = (): Value => m.call(callback ?? undefinedValue, undefinedValue, args, at)
    // Elements in doubt may be missing.
    const value = owner.doubt === undefined ? call() : m.fork([call, () => undefinedValue], at)
    const result = visit(value, element, index)
    if (result !== undefined) return result
  }
  return undefined
}

/** Results of `each` for callbacks that decide something: not known for a list in doubt. */
function decideEach(
  m: Machine,
  owner: ArrayValue,
  callback: Value | undefined,
  at: Node,
  visit: (result: Value, element: Value, index: number) => Value | undefined,
): Value | undefined {
  return owner.doubt ?? each(m, owner, callback, at, visit)
}

function indecisive(at: Node): Unknown {
  return unknown('the outcome of a callback is not known', at)
}

function make(owner: ArrayValue, elements: Value[], at: Node): ArrayValue {
  return { ...array(elements, at), doubt: owner.doubt }
}

function number(m: Machine, value: Value | undefined): number | undefined {
  if (value === undefined) return undefined
  const known = m.known(value)
  return known.kind === 'primitive' && typeof known.value === 'number' ? known.value : undefined
}

/** Where an element stands that `===` finds; `undefined` when a comparison is not known. */
function indexOf(m: Machine, owner: ArrayValue, wanted: Value, at: Node): number | undefined {
  for (const [index, element] of owner.elements.entries()) {
    const equal = truth(m, binary(m, ts.SyntaxKind.EqualsEqualsEqualsToken, element, wanted, at))
    if (equal === undefined) return undefined
    if (equal) return index
  }
  return -1
}

function flatten(m: Machine, owner: ArrayValue, levels: number, at: Node): Value {
  if (levels < 1) return owner
  // Whether an element is a list decides how long the result is.
  return distributeAll(m, owner.elements, at, (elements) => {
    const inner = elements.map((one) =>
      one.kind === 'array' ? flatten(m, one, levels - 1, at) : array([one], at),
    )
    return distributeAll(m, inner, at, (lists) =>
      make(
        owner,
        lists.flatMap((list) => (list.kind === 'array' ? list.elements : [list])),
        at,
      ),
    )
  })
}

export const arrayMethods: Readonly<Record<string, ArrayMethod>> = {
  map: (m, owner, [callback], at) => {
    const results: Value[] = []
    each(m, owner, callback, at, (result) => void results.push(result))
    return make(owner, results, at)
  },
  forEach: (m, owner, [callback], at) => {
    each(m, owner, callback, at, () => undefined)
    return undefinedValue
  },
  filter: (m, owner, [callback], at) => {
    const kept: Value[] = []
    each(m, owner, callback, at, (result, element) => {
      const take = (keeps: boolean): Value => (keeps ? element : absent)
      const one = whether(m, result, take, (arms, key) => m.fork(arms, at, key))
      if (one !== absent) kept.push(one)
      return undefined
    })
    return make(owner, kept, at)
  },
  find: (m, owner, [callback], at) =>
    decideEach(m, owner, callback, at, (result, element) => {
      const found = truth(m, result)
      return found === undefined ? indecisive(at) : found ? element : undefined
    }) ?? primitive(undefined, at),
  findIndex: (m, owner, [callback], at) =>
    decideEach(m, owner, callback, at, (result, _, index) => {
      const found = truth(m, result)
      return found === undefined ? indecisive(at) : found ? primitive(index, at) : undefined
    }) ?? primitive(-1, at),
  findLast: (m, owner, [callback = undefinedValue], at) => {
    for (let index = owner.elements.length - 1; index >= 0; index--) {
      const element = owner.elements[index] ?? undefinedValue
      const args = [element, primitive(index, at), owner]
      const found = truth(m, m.call(callback, undefinedValue, args, at))
      if (found !== false) return owner.doubt ?? (found ? element : indecisive(at))
    }
    return owner.doubt ?? primitive(undefined, at)
  },
  some: (m, owner, [callback], at) =>
    decideEach(m, owner, callback, at, (result) => {
      const holds = truth(m, result)
      return holds === undefined ? indecisive(at) : holds ? primitive(true, at) : undefined
    }) ?? primitive(false, at),
  every: (m, owner, [callback], at) =>
    decideEach(m, owner, callback, at, (result) => {
      const holds = truth(m, result)
      return holds === undefined ? indecisive(at) : holds ? undefined : primitive(false, at)
    }) ?? primitive(true, at),
  flatMap: (m, owner, [callback], at) => {
    const results: Value[] = []
    each(m, owner, callback, at, (result) => void results.push(result))
    return flatten(m, make(owner, results, at), 1, at)
  },
  reduce: (m, owner, args, at) => {
    const [callback = undefinedValue, initial] = args
    const items = [...owner.elements]
    let result = initial ?? items.shift() ?? undefinedValue
    const offset = initial === undefined ? 1 : 0
    for (const [index, item] of items.entries()) {
      result = m.call(
        callback,
        undefinedValue,
        [result, item, primitive(index + offset, at), owner],
        at,
      )
    }
    return owner.doubt ?? result
  },
  reduceRight: (m, owner, args, at) => {
    const reversed = make(owner, [...owner.elements].reverse(), at)
    return arrayMethods['reduce']?.(m, reversed, args, at) ?? undefinedValue
  },
  concat: (m, owner, given, at) =>
    distributeAll(m, given, at, (args) => {
      const result = make(owner, [...owner.elements], at)
      for (const arg of args) {
        if (arg.kind === 'array') {
          result.elements.push(...arg.elements)
          result.doubt ??= arg.doubt
        } else result.elements.push(arg)
      }
      return result
    }),
  slice: (m, owner, [from, to], at) =>
    make(owner, owner.elements.slice(number(m, from), number(m, to)), at),
  push: (m, owner, args, at) => {
    m.journal.setElements(owner, [...owner.elements, ...args])
    return primitive(owner.elements.length, at)
  },
  unshift: (m, owner, args, at) => {
    m.journal.setElements(owner, [...args, ...owner.elements])
    return primitive(owner.elements.length, at)
  },
  pop: (m, owner, _, at) => {
    const last = owner.elements.at(-1)
    m.journal.setElements(owner, owner.elements.slice(0, -1))
    return last ?? primitive(undefined, at)
  },
  shift: (m, owner, _, at) => {
    const [first, ...others] = owner.elements
    m.journal.setElements(owner, others)
    return first ?? primitive(undefined, at)
  },
  splice: (m, owner, [from, count, ...added], at) => {
    const elements = [...owner.elements]
    const removed = elements.splice(
      number(m, from) ?? 0,
      number(m, count) ?? elements.length,
      ...added,
    )
    m.journal.setElements(owner, elements)
    return make(owner, removed, at)
  },
  reverse: (m, owner) => {
    m.journal.setElements(owner, [...owner.elements].reverse())
    return owner
  },
  sort: (m, owner, [callback], at) => {
    let decided = true
    const compare = (a: Value, b: Value): number => {
      if (callback === undefined || callback.kind === 'primitive') {
        const [x, y] = [m.known(a), m.known(b)]
        if (x.kind !== 'primitive' || y.kind !== 'primitive') decided = false
        else
          return String(x.value) < String(y.value) ? -1 : String(x.value) > String(y.value) ? 1 : 0
      } else {
        const order = number(m, m.call(callback, undefinedValue, [a, b], at))
        if (order !== undefined) return order
        decided = false
      }
      return 0
    }
    m.journal.setElements(owner, [...owner.elements].sort(compare))
    if (!decided) owner.doubt ??= indecisive(at)
    return owner
  },
  join: (m, owner, [separator], at) => {
    const glue = separator === undefined ? ',' : m.known(separator)
    const text =
      typeof glue === 'string' ? glue : glue.kind === 'primitive' ? String(glue.value) : undefined
    if (text === undefined || owner.doubt !== undefined) return owner.doubt ?? indecisive(at)
    const texts = ['', ...owner.elements.slice(1).map(() => text), '']
    return m.concat(owner.elements.length === 0 ? [''] : texts, owner.elements, at)
  },
  includes: (m, owner, [wanted = undefinedValue], at) => {
    const index = indexOf(m, owner, wanted, at)
    if (owner.doubt !== undefined && index === -1) return owner.doubt
    return index === undefined ? indecisive(at) : primitive(index !== -1, at)
  },
  indexOf: (m, owner, [wanted = undefinedValue], at) => {
    const index = indexOf(m, owner, wanted, at)
    return owner.doubt ?? (index === undefined ? indecisive(at) : primitive(index, at))
  },
  flat: (m, owner, [depth], at) => flatten(m, owner, number(m, depth) ?? 1, at),
  at: (m, owner, [index], at) =>
    owner.doubt ?? owner.elements.at(number(m, index) ?? 0) ?? primitive(undefined, at),
  entries: (_, owner, __, at) =>
    make(
      owner,
      owner.elements.map((element, index) => array([primitive(index, at), element], at)),
      at,
    ),
  keys: (_, owner, __, at) =>
    make(
      owner,
      owner.elements.map((___, index) => primitive(index, at)),
      at,
    ),
  values: (_, owner, __, at) => make(owner, [...owner.elements], at),
  fill: (m, owner, [value = undefinedValue]) => {
    m.journal.setElements(
      owner,
      owner.elements.map(() => value),
    )
    return owner
  },
  toSpliced: (m, owner, args, at) => {
    const copy = make(owner, [...owner.elements], at)
    arrayMethods['splice']?.(m, copy, args, at)
    return copy
  },
  toReversed: (_, owner, __, at) => make(owner, [...owner.elements].reverse(), at),
  toSorted: (m, owner, args, at) =>
    arrayMethods['sort']?.(m, make(owner, [...owner.elements], at), args, at) ?? undefinedValue,
}
