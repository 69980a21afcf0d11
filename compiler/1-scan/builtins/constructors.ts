/** The globals `Array`, `Date` and `Symbol`, and the constructors of errors. */
import { distributeChoice } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import { listItems } from './lists/iteration.ts'
import { functions } from './functions.ts'
import {
  addMembers,
  argumentList,
  array,
  hole,
  native,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import { makeError, thrownError } from '../values/thrown.ts'
import type { NativeValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'

export function arrayGlobal(m: Machine): NativeValue {
  const build = ({ args, at }: { args: Value[]; at: Node }): Value => {
    const [first] = args
    if (args.length !== 1 || first === undefined) return argumentList(args, at)
    return distributeChoice(m, m.known(first), at, (one) => {
      if (one.kind === 'unknown') return one
      if (one.kind !== 'primitive' || typeof one.value !== 'number') return array([one], at)
      const length = one.value
      if (!Number.isInteger(length) || length < 0) {
        throw thrownError('RangeError', 'Invalid array length', at)
      }
      return array(
        Array.from({ length }, () => hole),
        at,
      )
    })
  }
  const statics = functions(m, 'Array', {
    isArray: ([value = undefinedValue], at) => {
      const known = m.known(value)
      if (known.kind === 'unknown') return known
      if (known.kind === 'deferred') return primitive(m.deferrals.isArray(known), at)
      return primitive(known.kind === 'array', at)
    },
    of: (args, at) => argumentList(args, at),
    from: ([source = undefinedValue, callback], at) => {
      const items = listItems(m, source, at)
      if (!Array.isArray(items)) return items
      const map = (item: Value, index: number): Value =>
        callback === undefined
          ? item
          : m.call(callback, undefinedValue, [item, primitive(index, at)], at)
      return array(items.map(map), at)
    },
  })
  return addMembers(native('Array', build, build), statics)
}

/** Computes given dates. The present date differs in each run. */
export function dateGlobal(m: Machine): NativeValue {
  const now = (at: Node): Value => unknown('it depends on the clock', at)
  const compute = (name: string, code: string): NativeValue =>
    native(name, ({ args, at }) => m.deferrals.code(`(...a) => ${code}(...a)`, args, at))
  const date = native(
    'Date',
    ({ at }) => now(at),
    (call) => (call.args.length === 0 ? now(call.at) : compute('Date', 'new Date').call(call)),
  )
  return addMembers(date, {
    now: native('now', ({ at }) => now(at)),
    parse: compute('parse', 'Date.parse'),
    UTC: compute('UTC', 'Date.UTC'),
  })
}

export function symbolGlobal(m: Machine): NativeValue {
  const symbol = native('Symbol', ({ args, at }) => {
    const description = m.known(args[0] ?? undefinedValue)
    return primitive(Symbol(description.kind === 'primitive' ? String(description.value) : ''), at)
  })
  const registry = native('Symbol.for', ({ args, at }) => {
    const key = m.known(args[0] ?? undefinedValue)
    return key.kind === 'primitive' ? primitive(Symbol.for(String(key.value)), at) : key
  })
  const statics: Record<string, Value> = { for: registry }
  for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Symbol))) {
    if (typeof value === 'symbol') statics[key] = primitive(value, undefined)
  }
  return addMembers(symbol, statics)
}

export function errorGlobal(name: string): NativeValue {
  const build = ({ args: [message], at }: { args: Value[]; at: Node }): Value =>
    makeError(name, message ?? primitive('', at), at)
  return native(name, build, build)
}
