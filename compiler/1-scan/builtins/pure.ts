import { distributeAll } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import { toPrimitive } from '../values/primitives.ts'
import { attempt, mayThrow } from '../values/thrown.ts'
import { blame, native, nativeObject, primitive, unknown } from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import { toPlain, toValue } from './plain.ts'

/** A function of JavaScript that has no effect: applied when all its arguments are known. */
export function pure(m: Machine, name: string, apply: (...args: never[]) => unknown): NativeValue {
  return native(name, ({ args, at }) =>
    distributeAll(m, args, at, (given) => {
      const plain = given.map((arg) => toPlain(m, m.known(arg)))
      const failed = plain.find((one) => !one.ok)
      if (failed !== undefined && !failed.ok) {
        const why =
          failed.blame.kind === 'unknown'
            ? blame(failed.blame, at)
            : unknown(`\`${name}\` gets a value that is not known`, at)
        mayThrow(m, why, at)
        return why
      }
      const values = plain.map((one) => (one.ok ? one.value : undefined))
      const result = attempt(() => apply(...(values as never[])), at)
      return toValue(result, at)
    }),
  )
}

export function functionsOf(m: Machine, owner: object, name: string): Value {
  const members: Record<string, Value> = {}
  for (const key of Object.getOwnPropertyNames(owner)) {
    const value = (owner as Record<string, unknown>)[key]
    if (key === 'random') {
      members[key] = native(key, ({ at }) => unknown('it is a random number', at))
    } else if (typeof value === 'function') {
      members[key] = pure(m, `${name}.${key}`, value as (...args: never[]) => unknown)
    } else members[key] = primitive(value as number, undefined)
  }
  return nativeObject(members)
}

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
  for (const key of Object.getOwnPropertyNames(convert)) {
    const value = (convert as unknown as Record<string, unknown>)[key]
    if (typeof value === 'function') {
      const member = pure(m, `${name}.${key}`, value as (...args: never[]) => unknown)
      result.members.set(key, { value: member, at: undefined })
    } else if (typeof value === 'number' && key !== 'length') {
      result.members.set(key, { value: primitive(value, undefined), at: undefined })
    }
  }
  return result
}
