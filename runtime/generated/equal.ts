type Fields = Record<string, unknown>

const { hasOwnProperty, valueOf, toString } = Object.prototype

/**
 * Returns whether two values are deeply equal by the rules of fast-deep-equal, which Ajv 8 uses for `enum`, `const` and `uniqueItems`, and
 * find-my-way for constraints: constructors are compared, `NaN` equals itself, and objects with their own `valueOf` or `toString`, such as
 * dates, are compared by it.
 */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!a || !b || typeof a !== 'object' || typeof b !== 'object') return a !== a && b !== b
  if (a.constructor !== b.constructor) return false
  if (Array.isArray(a)) {
    const { length } = a
    if (length !== (b as unknown[]).length) return false
    for (let i = length - 1; i >= 0; i--) {
      if (!equal(a[i], (b as unknown[])[i])) return false
    }
    return true
  }
  if (a.constructor === RegExp) {
    return (
      (a as RegExp).source === (b as RegExp).source && (a as RegExp).flags === (b as RegExp).flags
    )
  }
  if (a.valueOf !== valueOf) return a.valueOf() === b.valueOf()
  if (a.toString !== toString) return a.toString() === b.toString()
  const keys = Object.keys(a)
  const { length } = keys
  if (length !== Object.keys(b).length) return false
  for (let i = 0; i < length; i++) {
    if (!hasOwnProperty.call(b, keys[i] as string)) return false
  }
  for (let i = length - 1; i >= 0; i--) {
    const key = keys[i] as string
    if (!equal((a as Fields)[key], (b as Fields)[key])) return false
  }
  return true
}
