/** True if two types are the same, not merely assignable to each other. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles for `true` only. */
export type Expect<T extends true> = T

/** Fails to compile unless the value is of exactly that type: `same<string>()(value)`. */
export declare function same<Wanted>(): <Got>(
  value: Got,
  ...mismatch: Equal<Wanted, Got> extends true ? [] : [expected: Wanted]
) => void
