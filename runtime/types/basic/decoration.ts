import type { ByLine } from './line.ts'
import type { Loose } from './loose.ts'

/** A value, or accessors for it. */
type GetterSetter<This, T> =
  | T
  | {
      getter: (this: This) => T
      setter?: ((this: This, value: T) => void) | undefined
    }

/**
 * Adds a property to the instance, or to the prototype of its requests or replies.
 *
 * A property that is declared by merging into the interface must get a value of its type; a method gets the right
 * `this`. `dependencies` are decorators of the same kind that must be there before. Throws `FST_ERR_DEC_*`.
 */
export interface DecorationMethod<This, Return = This> {
  <
    // oxlint-disable-next-line no-use-before-define -- so that `decorate<Foo>` names the value's type
    T extends (P extends keyof This ? This[P] : unknown),
    P extends string | symbol = string | symbol,
  >(
    property: P,
    value: GetterSetter<
      This,
      T extends (...args: Loose[]) => Loose
        ? (this: This, ...args: Parameters<T>) => ReturnType<T>
        : T
    >,
    dependencies?: string[],
  ): Return
  (property: string | symbol): Return
  (property: string | symbol, value: ByLine<null, never>): Return
  (property: string | symbol, value: null | undefined, dependencies: string[]): Return
}
