/**
 * Whether another thread gets a value as it is: strings, numbers, lists and plain objects of them. A function cannot go there,
 * and what else has a class, a symbol or no prototype would arrive as something else.
 *
 * @param known values that were found to be such
 */
export function isPlainData(value: unknown, known: WeakSet<object>): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return false
  if (typeof value !== 'object' || value === null) return true
  if (known.has(value)) return true
  // A circle has been through here, and travels as one.
  known.add(value)
  const isPlain =
    hasPlainShape(value) && Object.values(value).every((one) => isPlainData(one, known))
  if (!isPlain) known.delete(value)
  return isPlain
}

function hasPlainShape(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  const names = Reflect.ownKeys(value)
  const { length } = Object.keys(value)
  return Array.isArray(value)
    ? prototype === Array.prototype && length === value.length && names.length === length + 1
    : prototype === Object.prototype && names.length === length
}
