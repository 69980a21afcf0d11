/** Compares declarations as plain data: of known values, only what they are, not where they are written. */

/** @param ignored members that don't matter */
export function areSame(
  a: unknown,
  b: unknown,
  ignored: readonly string[] = [],
  seen: Map<unknown, unknown> = new Map(),
): boolean {
  if (!isObject(a) || !isObject(b)) return Object.is(a, b)
  if (seen.get(a) === b) return true
  seen.set(a, b)
  const isKnownValue = typeof a['locate'] === 'function' && typeof b['locate'] === 'function'
  const skipped = isKnownValue ? [...ignored, 'at', 'locate'] : ignored
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return (
    Object.getPrototypeOf(a) === Object.getPrototypeOf(b) &&
    [...names].every(
      (name) =>
        skipped.includes(name) ||
        // A list that ends with `undefined` is longer.
        (name in a && name in b && areSame(a[name], b[name], ignored, seen)),
    )
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
