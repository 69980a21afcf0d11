type Fields = Record<string, unknown>

const { hasOwnProperty, valueOf, toString } = Object.prototype

/**
 * Whether two values are deeply equal, as `enum`, `const` and `uniqueItems` of Ajv 8 understand it: equal
 * constructors, `NaN` equal to itself, and objects with an own `valueOf` or `toString` (dates, say) by it.
 */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!a || !b || typeof a !== 'object' || typeof b !== 'object') return a !== a && b !== b
  if (a.constructor !== b.constructor) return false
  if (Array.isArray(a)) return equalArrays(a, b as unknown[])
  if (a.constructor === RegExp) {
    return (
      (a as RegExp).source === (b as RegExp).source && (a as RegExp).flags === (b as RegExp).flags
    )
  }
  if (a.valueOf !== valueOf) return a.valueOf() === b.valueOf()
  if (a.toString !== toString) return a.toString() === b.toString()
  return equalFields(a as Fields, b as Fields)
}

function equalArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = a.length - 1; i >= 0; i--) {
    if (!equal(a[i], b[i])) return false
  }
  return true
}

function equalFields(a: Fields, b: Fields): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    if (!hasOwnProperty.call(b, key)) return false
  }
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i] as string
    if (!equal(a[key], b[key])) return false
  }
  return true
}
