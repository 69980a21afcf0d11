import type { Branches } from '../model/index.ts'

/** Returns whether two things never exist together. */
export function exclude(a: Branches, b: Branches): boolean {
  return a.some(({ condition, index }) =>
    b.some((other) => other.condition === condition && other.index !== index),
  )
}
