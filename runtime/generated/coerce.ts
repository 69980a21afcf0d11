/**
 * Coercion as Ajv does it with `coerceTypes: 'array'`, for values that are not of the type yet: the only item
 * of an array stands for the array, a scalar for an array with it. `undefined` when it cannot be done.
 */

/** The only item of an array; anything else as it is. */
export function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value
}

export function coerceToString(value: unknown): string | undefined {
  const data = onlyItem(value)
  if (typeof data === 'string') return data
  if (typeof data === 'number' || typeof data === 'boolean') return `${data}`
  return data === null ? '' : undefined
}

export function coerceToNumber(value: unknown): number | undefined {
  const data = onlyItem(value)
  if (typeof data === 'number') return Number.isFinite(data) ? data : undefined
  return fromScalar(data)
}

export function coerceToInteger(value: unknown): number | undefined {
  const data = onlyItem(value)
  if (typeof data === 'number') return Number.isInteger(data) ? data : undefined
  const number = fromScalar(data)
  // `Infinity % 1` is `NaN`, which Ajv takes for no remainder.
  return number !== undefined && number % 1 ? undefined : number
}

/** A text counts when it is a number in the sense of `==`, so that spaces around it do not matter. */
function fromScalar(data: unknown): number | undefined {
  if (typeof data === 'boolean' || data === null) return Number(data)
  if (typeof data !== 'string' || data === '') return undefined
  const number = Number(data)
  return Number.isNaN(number) ? undefined : number
}

export function coerceToBoolean(value: unknown): boolean | undefined {
  const data = onlyItem(value)
  if (typeof data === 'boolean') return data
  if (data === 'false' || data === 0 || data === null) return false
  return data === 'true' || data === 1 ? true : undefined
}

export function coerceToArray(value: unknown): unknown[] | undefined {
  const data = onlyItem(value)
  if (Array.isArray(data)) return data as unknown[]
  return data === null || /^(?:string|number|boolean)$/.test(typeof data) ? [data] : undefined
}
