/**
 * Copies a schema deeply, because fast-json-stringify and plugins of Ajv write into it. Functions, dates and regular expressions
 * stay the same values.
 */
export function copySchema<T>(schema: T): T {
  if (schema === null || typeof schema !== 'object') return schema
  if (Array.isArray(schema)) return schema.map(copySchema) as T
  const prototype: unknown = Object.getPrototypeOf(schema)
  if (prototype !== null && prototype !== Object.prototype) return schema
  const copy = (prototype === null ? Object.create(null) : {}) as T
  for (const key of Object.keys(schema)) {
    const value = copySchema((schema as Record<string, unknown>)[key])
    // An assignment would set the prototype.
    if (key === '__proto__')
      Object.defineProperty(copy, key, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      })
    else (copy as Record<string, unknown>)[key] = value
  }
  return copy
}
