/**
 * Coerces values of another type as Ajv does with `coerceTypes: 'array'`: an array with one item becomes the item, a scalar becomes an
 * array. Returns `undefined` if that is impossible.
 */

/*
 * The functions are small and avoid globals, because V8 inlines functions of up to 27 bytes of bytecode even when the budget of their
 * caller is used up, and a validator contains many of these calls.
 */

const { isArray } = Array
const { isFinite, isInteger, isNaN } = Number

/** Returns the only item of an array, and any other value unchanged. */
export function onlyItem(value: unknown): unknown {
  return isArray(value) ? itemOf(value) : value
}

function itemOf(array: readonly unknown[]): unknown {
  return array.length === 1 ? array[0] : array
}

export function coerceToString(value: unknown): string | undefined {
  const data = onlyItem(value)
  return typeof data === 'string' ? data : stringFrom(data)
}

export function coerceToNumber(value: unknown): number | undefined {
  const data = onlyItem(value)
  return isFinite(data) ? (data as number) : numberFrom(data)
}

export function coerceToInteger(value: unknown): number | undefined {
  const data = onlyItem(value)
  return isInteger(data) ? (data as number) : integerFrom(data)
}

export function coerceToBoolean(value: unknown): boolean | undefined {
  const data = onlyItem(value)
  return typeof data === 'boolean' ? data : booleanFrom(data)
}

/** @param value not an array */
export function coerceToArray(value: unknown): unknown[] | undefined {
  return isScalar(value) ? [value] : undefined
}

function isScalar(data: unknown): boolean {
  const type = typeof data
  return data === null || type === 'string' || type === 'number' || type === 'boolean'
}

function stringFrom(data: unknown): string | undefined {
  if (typeof data === 'number' || typeof data === 'boolean') return `${data}`
  return data === null ? '' : undefined
}

/** Accepts texts that equal a number by `==`, which ignores spaces around it. */
function numberFrom(data: unknown): number | undefined {
  if (typeof data === 'boolean' || data === null) return Number(data)
  if (typeof data !== 'string' || data === '') return undefined
  const number = Number(data)
  return isNaN(number) ? undefined : number
}

function integerFrom(data: unknown): number | undefined {
  const number = numberFrom(data)
  // `Infinity % 1` is `NaN`, which Ajv treats as no remainder.
  return number !== undefined && number % 1 ? undefined : number
}

function booleanFrom(data: unknown): boolean | undefined {
  if (data === 'false' || data === 0 || data === null) return false
  return data === 'true' || data === 1 ? true : undefined
}
