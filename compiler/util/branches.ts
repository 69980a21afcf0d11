/** Outcomes of conditions. */
type Outcomes<Condition> = readonly { readonly condition: Condition; readonly index: number }[]

/** Returns whether two things never exist together. */
export function exclude<Condition>(a: Outcomes<Condition>, b: Outcomes<Condition>): boolean {
  return a.some(({ condition, index }) =>
    b.some((other) => other.condition === condition && other.index !== index),
  )
}
