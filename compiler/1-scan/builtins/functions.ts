/** Creates function values of the interpreter from functions of this compiler, and from built-in ones of JavaScript. */
import { distribute, distributeAll } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import { attempt, mayThrow } from '../values/thrown.ts'
import { array, native, undefinedValue, unknown, unknownFrom } from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import type { Node } from '../../util/source/project.ts'
import { toPlain, toValue } from './plain.ts'

export interface Call<This = Value> {
  readonly m: Machine
  /** `this` */
  readonly self: This
  readonly at: Node
}

/** Implements a function that is built into JavaScript or Node. Missing arguments are passed as `undefined`. */
export type Builtin<This = Value> = (call: Call<This>, ...args: Value[]) => Value

export type Builtins<This = Value> = Readonly<Record<string, Builtin<This>>>

export function invoke<This>(run: Builtin<This>, call: Call<This>, args: readonly Value[]): Value {
  const missing = Array.from({ length: run.length - 1 - args.length }, () => undefinedValue)
  return run(call, ...args, ...missing)
}

export function builtin(m: Machine, name: string, run: Builtin): NativeValue {
  return native(name, ({ thisValue, args, at }) => invoke(run, { m, self: thisValue, at }, args))
}

/**
 * Creates function values for the members of an object. If an argument has several possible values, calls the function with each of them.
 * Functions that read no element of a list pass `forEachOption`: a list with six optional elements may be 64 lists.
 */
export function functions(
  m: Machine,
  owner: string,
  calls: Builtins,
  split: typeof distribute<Value> = distribute,
): Record<string, NativeValue> {
  const natives: Record<string, NativeValue> = {}
  for (const [name, run] of Object.entries(calls)) {
    natives[name] = native(`${owner}.${name}`, ({ thisValue, args, at }) =>
      distributeAll(m, args, at, (each) => invoke(run, { m, self: thisValue, at }, each), split),
    )
  }
  return natives
}

/**
 * Creates a function value for a function without side effects. It runs in this process if all of its arguments are known, and in the
 * sandbox if one of them is computed there.
 *
 * @param name an expression for it in the sandbox, such as `JSON.stringify`
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
