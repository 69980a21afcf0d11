import type { StaticValue } from '../../model/index.ts'
import type { Path } from '../places.ts'
import { makingOf } from '../statics.ts'

/** What stands for a `StaticValue` in a graph that is kept. */
export interface PackedStatic extends Pick<StaticValue, 'value' | 'at'> {
  readonly '#': 'static'
  /** Of this one, among all in the graph. */
  readonly number: number
  readonly sliced: readonly Path[]
  /** Where literals were inserted, each by its number. */
  readonly data: readonly { readonly path: Path; readonly literal: number }[]
  readonly places: readonly (readonly [string, StaticValue['at']])[]
}

class NotPlain extends Error {}

/** A graph as plain data, with the numbers of what stands in it. */
export interface Packed {
  readonly graph: unknown
  readonly numbers: ReadonlyMap<StaticValue, number>
}

/**
 * A graph as plain data. `undefined` when there is something in it that depends on more of the source than its values
 * and places do.
 *
 * @param numbers of literals that may be others in the next build
 */
export function pack(graph: object, numbers: ReadonlyMap<object, number>): Packed | undefined {
  const statics = new Map<StaticValue, number>()
  let count = 0
  try {
    return { graph: plain(graph), numbers: statics }
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }

  function plain(value: unknown): unknown {
    if (typeof value === 'function') throw new NotPlain()
    // Reasons may quote the source, and name places in it.
    if (typeof value === 'string' && /:\d+:\d+/.test(value)) throw new NotPlain()
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(plain)
    if (isStatic(value)) return packStatic(value)
    // Where a call ends is not known to the character.
    if (Object.getPrototypeOf(value) !== Object.prototype || 'neededBy' in value) {
      throw new NotPlain()
    }
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    return Object.fromEntries(members.map(([key, member]) => [key, plain(member)]))
  }

  function packStatic(value: StaticValue): PackedStatic {
    const making = makingOf(value)
    if (making === undefined) throw new NotPlain()
    const { sliced, places } = making
    const data = making.data.flatMap(({ path, literal, value: inserted }) => {
      const number = numbers.get(literal)
      if (number === undefined) return []
      if (memberAt(value.value, path) !== inserted) throw new NotPlain()
      return [{ path, literal: number }]
    })
    const { value: written, at } = value
    const number = count++
    statics.set(value, number)
    return { '#': 'static', number, value: written, at, sliced, data, places: [...places] }
  }
}

function isStatic(value: object): value is StaticValue {
  return 'locate' in value && typeof value.locate === 'function'
}

export function memberAt(value: unknown, path: Path): unknown {
  return path.reduce(
    (at, key) => (at as Readonly<Record<string | number, unknown>> | undefined)?.[key],
    value,
  )
}
