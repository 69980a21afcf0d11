/** Makes functions of the interpreter: of functions that are written for it, and of JavaScript's own. */
import { distributeAll } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import { attempt, mayThrow } from '../values/thrown.ts'
import { array, native, undefinedValue, unknown, unknownFrom } from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import { toPlain, toValue } from './plain.ts'

export interface Call<This = Value> {
  readonly m: Machine
  /** `this` */
  readonly self: This
  readonly at: Node
}

/** A function that is built into JavaScript or Node. Missing arguments are passed as `undefined`. */
export type Builtin<This = Value> = (call: Call<This>, ...args: Value[]) => Value

export type Builtins<This = Value> = Readonly<Record<string, Builtin<This>>>

export function invoke<This>(run: Builtin<This>, call: Call<This>, args: readonly Value[]): Value {
  const missing = Array.from({ length: run.length - 1 - args.length }, () => undefinedValue)
  return run(call, ...args, ...missing)
}

export function builtin(m: Machine, name: string, run: Builtin): NativeValue {
  return native(name, ({ thisValue, args, at }) => invoke(run, { m, self: thisValue, at }, args))
}

/** Makes natives of functions. Arguments with several possible values are passed once for each of them. */
export function functions(m: Machine, owner: string, calls: Builtins): Record<string, NativeValue> {
  const natives: Record<string, NativeValue> = {}
  for (const [name, run] of Object.entries(calls)) {
    natives[name] = native(`${owner}.${name}`, ({ thisValue, args, at }) =>
      distributeAll(m, args, at, (each) => invoke(run, { m, self: thisValue, at }, each)),
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
        const result = attempt(() => apply(...(plain.value as never[])), at)
        return toValue(result, at)
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
