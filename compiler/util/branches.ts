/** Outcomes of conditions. */
type Outcomes<Condition> = readonly { readonly condition: Condition; readonly index: number }[]

/** Returns how many outcomes two things have in common, from the outermost on. */
export function sharedDepth<Condition>(a: Outcomes<Condition>, b: Outcomes<Condition>): number {
  const differs = a.findIndex(
    ({ condition, index }, i) => condition !== b[i]?.condition || index !== b[i].index,
  )
  return differs === -1 ? a.length : differs
}

/** Returns whether two things never exist together. */
export function exclude<Condition>(a: Outcomes<Condition>, b: Outcomes<Condition>): boolean {
  return a.some(({ condition, index }) =>
    b.some((other) => other.condition === condition && other.index !== index),
  )
}
