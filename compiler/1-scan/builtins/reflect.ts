import type { Machine } from '../values/machine.ts'
import { array, native, nativeObject, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import * as reflection from './reflection.ts'

/** The global `Reflect`. */
export function reflectGlobal(m: Machine): Value {
  const define = (name: string, call: (args: readonly Value[], at: Node) => Value): NativeValue =>
    native(`Reflect.${name}`, ({ args, at }) => call(args, at))
  const yes = (call: reflection.Reflection): NativeValue =>
    native(call.name, ({ args, at }) => {
      const result = call(m, args, at)
      return result.kind === 'unknown' ? result : primitive(true, at)
    })
  const listOf = (value: Value | undefined, at: Node): Value[] => {
    const items = value === undefined ? [] : m.iterate(value, at)
    return Array.isArray(items) ? items : [items]
  }
  return nativeObject({
    ownKeys: define('ownKeys', (args, at) => {
      const names = reflection.getOwnPropertyNames(m, args, at)
      const symbols = reflection.getOwnPropertySymbols(m, args, at)
      return names.kind === 'array' && symbols.kind === 'array'
        ? array([...names.elements, ...symbols.elements], at)
        : names
    }),
    get: define('get', ([owner = undefinedValue, key = undefinedValue], at) =>
      m.get(owner, key, at),
    ),
    set: define('set', ([owner, key, value], at) => {
      m.set(owner ?? undefinedValue, key ?? undefinedValue, value ?? undefinedValue, at)
      return primitive(true, at)
    }),
    has: define('has', ([owner = undefinedValue, key = undefinedValue], at) => {
      const name = m.known(key)
      return name.kind === 'primitive'
        ? primitive(m.has(owner, String(name.value)), at)
        : unknown('which property is asked for is not known', at)
    }),
    deleteProperty: define('deleteProperty', ([owner, key], at) => {
      m.remove(owner ?? undefinedValue, key ?? undefinedValue, at)
      return primitive(true, at)
    }),
    apply: define('apply', ([callee = undefinedValue, thisValue, list], at) =>
      m.call(callee, thisValue ?? undefinedValue, listOf(list, at), at),
    ),
    construct: define('construct', ([callee = undefinedValue, list], at) =>
      m.construct(callee, listOf(list, at), at),
    ),
    defineProperty: yes(reflection.defineProperty),
    setPrototypeOf: yes(reflection.setPrototypeOf),
    getPrototypeOf: define('getPrototypeOf', (args, at) => reflection.getPrototypeOf(m, args, at)),
    getOwnPropertyDescriptor: define('getOwnPropertyDescriptor', (args, at) =>
      reflection.getOwnPropertyDescriptor(m, args, at),
    ),
  })
}
