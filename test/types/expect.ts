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

/** True if everything assignable in the one table is assignable in the other. */
export type Covers<Ours, Real> = Equal<
  {
    [Noun in keyof Real]: {
      [From in keyof Real[Noun]]: {
        [To in keyof Real[Noun][From]]: Real[Noun][From][To] extends true
          ? Ours[Noun & keyof Ours][From & keyof Ours[Noun & keyof Ours]][To &
              keyof Ours[Noun & keyof Ours][From & keyof Ours[Noun & keyof Ours]]]
          : false
      }
    }
  },
  Real
>
