/**
 * Returns whether a value arrives unchanged in another thread: strings, numbers, lists and plain objects of them. A structured clone
 * refuses functions, and changes objects of a class, with symbols or without a prototype.
 *
 * @param known values that are known to be plain data
 */
export function isPlainData(value: unknown, known: WeakSet<object>): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return false
  if (typeof value !== 'object' || value === null) return true
  if (known.has(value)) return true
  // Added first: a circular value is cloned as one.
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
