/** Wraps functions of JavaScript so that the interpreter can call them. */
import { distributeAll } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import { toPrimitive } from '../values/primitives.ts'
import { attempt, mayThrow } from '../values/thrown.ts'
import {
  addMembers,
  array,
  unknownFrom,
  native,
  objectOf,
  primitive,
  unknown,
} from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import { toPlain, toValue } from './plain.ts'

/** Makes natives of functions. Arguments with several possible values are passed once for each of them. */
export function functions(
  m: Machine,
  owner: string,
  calls: Readonly<Record<string, (args: Value[], at: Node) => Value>>,
): Record<string, NativeValue> {
  const natives: Record<string, NativeValue> = {}
  for (const [name, call] of Object.entries(calls)) {
    natives[name] = native(`${owner}.${name}`, ({ args, at }) =>
      distributeAll(m, args, at, (each) => call(each, at)),
    )
  }
  return natives
}

/**
 * A function without side effects. It is called for real when all of its arguments are known, and in the sandbox when one of them is
 * computed there.
 *
 * @param name its name in every program
 */
export function pure(m: Machine, name: string, apply: (...args: never[]) => unknown): NativeValue {
  return native(name, ({ args, at }) =>
    distributeAll(m, args, at, (given) => {
      const plain = toPlain(m, array(given, at))
      if (plain.ok) {
        return toValue(
          attempt(() => apply(...(plain.value as never[])), at),
          at,
        )
      }
      if (plain.cause.kind === 'deferred') {
        return m.deferrals.code(`(...args) => ${name}(...args)`, given, at)
      }
      const why =
        plain.cause.kind === 'unknown'
          ? unknownFrom(plain.cause, at)
          : unknown(`\`${name}\` gets a value that is not known`, at)
      mayThrow(m, why, at)
      return why
    }),
  )
}

/** The static functions and constants of a global, such as `Math`. */
function staticsOf(m: Machine, owner: object, name: string): Record<string, Value> {
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

export function mathGlobal(m: Machine): Value {
  const random = native('random', ({ at }) => unknown('it is a random number', at))
  return objectOf({ ...staticsOf(m, Math, 'Math'), random })
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
