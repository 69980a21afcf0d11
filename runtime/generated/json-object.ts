/** No global, as in coerce.ts: V8 then inlines the function wherever it is called. */
const { isArray } = Array

/** Whether JSON would call the value an object. */
export function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !isArray(value)
}
