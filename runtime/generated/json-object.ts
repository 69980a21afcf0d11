/** Avoids a global variable, so that V8 always inlines the function, as in coerce.ts. */
const { isArray } = Array

/** Returns whether the value has the type `object` for Ajv: neither null nor an array. */
export function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !isArray(value)
}
