/** Converts values to plain data, so that booted and scanned values can be compared. */

const kFluent = Symbol.for('fluent-schema-object')

/** Drops symbol keys, and replaces values that aren't data by a mark. */
export function plainOf(value: unknown): unknown {
  if (typeof value === 'function') return '[function]'
  if (value === undefined) return '[undefined]'
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainOf)
  const fluent = value as Record<string | symbol, unknown>
  if (fluent['isFluentSchema'] || fluent['isFluentJSONSchema'] || fluent[kFluent]) {
    return plainOf(value.valueOf())
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainOf(member)]))
}
