/** The global `Promise`. A promise is represented by the value that it is fulfilled with. */
import { Thrown } from '../values/thrown.ts'
import type { Machine } from '../values/machine.ts'
import {
  addMembers,
  array,
  native,
  objectOf,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import { functions } from './functions.ts'

export function promiseGlobal(m: Machine): NativeValue {
  const result = native(
    'Promise',
    ({ at }) => unknown('it is called without `new`', at),
    ({ args, at }) => {
      let settled: Value = unknown('it is a promise that is settled later', at)
      const resolve = native('resolve', (call) => {
        settled = call.args[0] ?? undefinedValue
        return undefinedValue
      })
      const reject = native('reject', () => undefinedValue)
      m.call(args[0] ?? undefinedValue, undefinedValue, [resolve, reject], at)
      return settled
    },
  )
  const settleAll = (list: Value, at: Node, resultOf: (value: Value) => Value): Value => {
    const items = m.iterate(list, at)
    if (!Array.isArray(items)) return items
    const results = items.map((item) => resultOf(m.boot.settle(item)))
    return array(results, at)
  }
  const statics = functions(m, 'Promise', {
    resolve: ([value = undefinedValue]) => value,
    reject: ([value = undefinedValue]) => {
      throw new Thrown(value)
    },
    all: ([list = undefinedValue], at) => settleAll(list, at, (value) => value),
    // A rejected promise throws where it is created, so those that get here are fulfilled.
    allSettled: ([list = undefinedValue], at) =>
      settleAll(list, at, (value) => objectOf({ status: primitive('fulfilled', at), value }, at)),
  })
  return addMembers(result, statics)
}
