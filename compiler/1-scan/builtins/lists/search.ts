/** Finds an equal value in a list. */
import { branchOn, forEachOption, truthOf } from '../../values/conditions.ts'
import type { Machine } from '../../values/machine.ts'
import { optionsOf } from '../../values/choices.ts'
import { primitive, unknown } from '../../values/index.ts'
import type { Primitive, Unknown, Value } from '../../values/index.ts'
import type { Node } from '../../../util/source/project.ts'

/** `===`, or the equality of `includes`, `Map` and `Set`, which finds `NaN`. */
type Equality = 'strict' | 'same'

/**
 * Calls `use` with the index of the first value that equals `wanted`, with -1 if there is none, or with why it isn't known:
 * under each condition that it depends on.
 */
export function locate(
  m: Machine,
  values: readonly Value[],
  wanted: Value,
  equality: Equality,
  at: Node,
  use: (index: number | Unknown) => Value,
  from = 0,
): Value {
  for (let index = from; index < values.length; index++) {
    const value = values[index] as Value
    if (value.kind === 'primitive' && wanted.kind === 'primitive') {
      if (isSameScalar(value, wanted, equality)) return use(index)
      continue
    }
    const equal = isSame(m, value, wanted, equality, at)
    if (optionsOf(equal).some((one) => one.kind === 'unknown')) {
      return use(unknown('the element that is meant is not known', at))
    }
    // Long lists are searched without recursion.
    const outcome = truthOf(m, equal)
    if (outcome === true) return use(index)
    if (outcome === undefined) {
      return branchOn(m, equal, at, (found) =>
        found ? use(index) : locate(m, values, wanted, equality, at, use, index + 1),
      )
    }
  }
  return use(-1)
}

/** Compares two values. The result is unknown where one of them is. */
function isSame(m: Machine, left: Value, right: Value, equality: Equality, at: Node): Value {
  return forEachOption(m, m.known(left), at, (a) =>
    forEachOption(m, m.known(right), at, (b) => {
      if (a.kind === 'unknown') return a
      if (b.kind === 'unknown') return b
      if (a.kind !== 'primitive' || b.kind !== 'primitive') return primitive(a === b, at)
      return primitive(isSameScalar(a, b, equality), at)
    }),
  )
}

function isSameScalar(a: Primitive, b: Primitive, equality: Equality): boolean {
  return a.value === b.value || (equality === 'same' && Object.is(a.value, b.value))
}
