/**
 * A deep copy of a schema: fast-json-stringify writes into what it is given, and so do plugins of Ajv. What
 * is neither a plain object nor an array (functions, dates, expressions) stays the same value.
 */
export function copySchema<T>(schema: T): T {
  if (schema === null || typeof schema !== 'object') return schema
  if (Array.isArray(schema)) return schema.map(copySchema) as T
  const prototype: unknown = Object.getPrototypeOf(schema)
  if (prototype !== null && prototype !== Object.prototype) return schema
  const copy = (prototype === null ? Object.create(null) : {}) as T
  for (const key of Object.keys(schema)) {
    // Not an assignment: a schema may have a property called `__proto__`.
    Object.defineProperty(copy, key, {
      value: copySchema((schema as Record<string, unknown>)[key]),
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
  return copy
}
