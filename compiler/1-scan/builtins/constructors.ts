/** The global constructors. */
import { forEachOption } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import { listItems } from './lists/iteration.ts'
import { functions, pure } from './functions.ts'
import {
  addMembers,
  argumentList,
  array,
  isGiven,
  native,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import { toPrimitive } from '../values/primitives.ts'
import { resize } from '../values/properties.ts'
import { makeError, thrownError } from '../values/thrown.ts'
import type { Node } from '../../util/source/project.ts'

function ofSubclass(self: Value, at: Node): Value | undefined {
  if (self.kind !== 'class') return undefined
  return unknown(`it is a list of the class \`${self.name}\``, at)
}

export function arrayGlobal(m: Machine): NativeValue {
  const build = ({ args, at }: { args: Value[]; at: Node }): Value => {
    const [first] = args
    if (args.length !== 1 || first === undefined) return argumentList(args, at)
    return forEachOption(m, m.known(first), at, (one) => {
      if (one.kind === 'unknown') return one
      if (one.kind !== 'primitive' || typeof one.value !== 'number') return array([one], at)
      const length = one.value
      if (length >>> 0 !== length) {
        throw thrownError('RangeError', 'Invalid array length', at)
      }
      const holes = array([], at)
      resize(m, holes, length, at)
      return holes
    })
  }
  const statics = functions(m, 'Array', {
    isArray: ({ at }, value) => {
      const known = m.known(value)
      if (known.kind === 'unknown') return known
      if (known.kind === 'deferred') return primitive(m.deferrals.isArray(known), at)
      return primitive(known.kind === 'array', at)
    },
    of: ({ at, self }, ...args) => ofSubclass(self, at) ?? argumentList(args, at),
    from: ({ at, self }, source, callback) => {
      const inherited = ofSubclass(self, at)
      if (inherited !== undefined) return inherited
      const items = listItems(m, source, at)
      if (!Array.isArray(items)) return items
      const map = (item: Value, index: number): Value =>
        isGiven(callback)
          ? m.call(callback, undefinedValue, [item, primitive(index, at)], at)
          : item
      return array(items.map(map), at)
    },
  })
  return addMembers(native('Array', build, build), statics)
}

export function symbolGlobal(m: Machine): NativeValue {
  const symbol = native('Symbol', ({ args, at }) => {
    const description = m.known(args[0] ?? undefinedValue)
    const text = description.kind === 'primitive' ? description.value : ''
    return primitive(Symbol(text as string), at)
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
  const build = ({ args, at }: { args: Value[]; at: Node }): Value => {
    const [errors, message = primitive('', at)] =
      name === 'AggregateError' ? args : [undefined, ...args]
    const error = makeError(name, message, at)
    if (errors !== undefined) error.members.set('errors', { value: errors, at, hidden: true })
    return error
  }
  return native(name, build, build)
}

/** Returns the constants of a global such as `Math`, and its static functions, as functions without side effects. */
export function staticsOf(m: Machine, owner: object, name: string): Record<string, Value> {
  const members: Record<string, Value> = {}
  for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    if (typeof value === 'function') {
      members[key] = pure(m, `${name}.${key}`, value as (...args: never[]) => unknown)
    } else if (typeof value === 'number' && key !== 'length') {
      members[key] = primitive(value, undefined)
    }
  }
  return members
}

/** `Number`, `String` or `Boolean`, called as functions. */
export function conversion(
  m: Machine,
  name: string,
  convert: (value: unknown) => unknown,
): NativeValue {
  const apply = pure(m, name, convert as (...args: never[]) => unknown)
  const hint = name === 'String' ? 'string' : 'number'
  const result = native(name, ({ args, at, thisValue }) => {
    const [first, ...rest] = args
    if (first === undefined || name === 'Boolean') return apply.call({ args, at, thisValue })
    return apply.call({ args: [toPrimitive(m, m.known(first), hint, at), ...rest], at, thisValue })
  })
  return addMembers(result, staticsOf(m, convert, name))
}
