import { distributeAll, distributeChoice } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import { listItems } from './lists/iteration.ts'
import { array, hole, native, primitive, undefinedValue, unknown } from '../values/index.ts'
import { makeError, thrownError } from '../values/thrown.ts'
import type { NativeValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'

export function arrayGlobal(m: Machine): NativeValue {
  const build = ({ args, at }: { args: Value[]; at: Node }): Value => {
    const [first] = args
    if (args.length !== 1 || first === undefined) return array([...args], at)
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
  const result = native('Array', build, build)
  const define = (name: string, call: (args: Value[], at: Node) => Value): void => {
    result.members.set(name, {
      value: native(`Array.${name}`, ({ args, at }) =>
        distributeAll(m, args, at, (each) => call(each, at)),
      ),
      at: undefined,
    })
  }
  define('isArray', ([value = undefinedValue], at) => {
    const known = m.known(value)
    if (known.kind === 'unknown') return known
    if (known.kind === 'deferred') return primitive(m.deferrals.isArray(known), at)
    return primitive(known.kind === 'array', at)
  })
  define('of', (args, at) => array([...args], at))
  define('from', ([source = undefinedValue, callback], at) => {
    const items = listItems(m, source, at)
    if (!Array.isArray(items)) return items
    return array(
      callback === undefined
        ? items
        : items.map((item, index) =>
            m.call(callback, undefinedValue, [item, primitive(index, at)], at),
          ),
      at,
    )
  })
  return result
}

/** A given time is computed; the present one is another in each run. */
export function dateGlobal(m: Machine): NativeValue {
  const now = (at: Node): Value => unknown('it depends on the clock', at)
  const result = native(
    'Date',
    ({ at }) => now(at),
    ({ args, at }) =>
      args.length === 0 ? now(at) : m.deferrals.code('(...a) => new Date(...a)', args, at),
  )
  result.members.set('now', { value: native('now', ({ at }) => now(at)), at: undefined })
  for (const name of ['parse', 'UTC']) {
    const value = native(name, ({ args, at }) =>
      m.deferrals.code(`(...a) => Date.${name}(...a)`, args, at),
    )
    result.members.set(name, { value, at: undefined })
  }
  return result
}

export function symbolGlobal(m: Machine): NativeValue {
  const result = native('Symbol', ({ args, at }) => {
    const description = m.known(args[0] ?? undefinedValue)
    return primitive(Symbol(description.kind === 'primitive' ? String(description.value) : ''), at)
  })
  const registry = native('Symbol.for', ({ args, at }) => {
    const key = m.known(args[0] ?? undefinedValue)
    return key.kind === 'primitive' ? primitive(Symbol.for(String(key.value)), at) : key
  })
  result.members.set('for', { value: registry, at: undefined })
  for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Symbol))) {
    if (typeof value !== 'symbol') continue
    result.members.set(key, { value: primitive(value, undefined), at: undefined })
  }
  return result
}

export function errorGlobal(name: string): NativeValue {
  const build = ({ args: [message], at }: { args: Value[]; at: Node }): Value =>
    makeError(name, message ?? primitive('', at), at)
  return native(name, build, build)
}
