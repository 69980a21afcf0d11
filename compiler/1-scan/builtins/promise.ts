import { Thrown } from '../values/thrown.ts'
import { distributeAll } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import { array, native, object, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'

export function promiseGlobal(m: Machine): NativeValue {
  const result = native(
    'Promise',
    ({ at }) => unknown('it is called without `new`', at),
    ({ args, at }) => {
      let settled: Value = unknown('it is settled later', at)
      const resolve = native('resolve', (call) => {
        settled = call.args[0] ?? undefinedValue
        return undefinedValue
      })
      const reject = native('reject', () => undefinedValue)
      m.call(args[0] ?? undefinedValue, undefinedValue, [resolve, reject], at)
      return settled
    },
  )
  const define = (name: string, call: (args: Value[], at: Node) => Value): void => {
    result.members.set(name, {
      value: native(`Promise.${name}`, ({ args, at }) =>
        distributeAll(m, args, at, (each) => call(each, at)),
      ),
      at: undefined,
    })
  }
  define('resolve', ([value = undefinedValue]) => value)
  define('reject', ([value = undefinedValue]) => {
    throw new Thrown(value)
  })
  define('all', ([list = undefinedValue], at) => {
    const items = m.iterate(list, at)
    return Array.isArray(items)
      ? array(
          items.map((item) => m.boot.settle(item)),
          at,
        )
      : items
  })
  define('allSettled', ([list = undefinedValue], at) => {
    const items = m.iterate(list, at)
    if (!Array.isArray(items)) return items
    // One that is rejected has thrown where it was made.
    const outcome = (value: Value): Value => {
      const made = object(at)
      made.members.set('status', { value: primitive('fulfilled', at), at })
      made.members.set('value', { value: m.boot.settle(value), at })
      return made
    }
    return array(items.map(outcome), at)
  })
  return result
}
