import type { Constraints } from './types.ts'

/** Returns whether two values are deeply equal. It compares the constraints of routes. */
export function areEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) {
    return true
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false
  }
  if (a.constructor !== b.constructor) {
    return false
  }
  if (a instanceof RegExp && b instanceof RegExp) {
    return a.source === b.source && a.flags === b.flags
  }
  const left = a as Constraints
  const right = b as Constraints
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && areEqual(left[key], right[key]))
  )
}
