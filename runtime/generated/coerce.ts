/**
 * Coercion as Ajv does it with `coerceTypes: 'array'`, for values that are not of the type yet: the only item
 * of an array stands for the array, a scalar for an array with it. `undefined` when it cannot be done.
 */

/*
 * The functions are as small as they are, and ask for no global, because V8 always inlines those of up to 27 bytes of bytecode: of
 * all others only as many as fit into the budget of their caller, and a validator has many of these calls.
 */

const { isArray } = Array
const { isFinite, isInteger, isNaN } = Number

/** The only item of an array; anything else as it is. */
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

export function coerceToArray(value: unknown): unknown[] | undefined {
  const data = onlyItem(value)
  if (isArray(data)) return data as unknown[]
  return isScalar(data) ? [data] : undefined
}

function isScalar(data: unknown): boolean {
  const type = typeof data
  return data === null || type === 'string' || type === 'number' || type === 'boolean'
}

/*
 * With `nullable`, Ajv asks whether the only item of an array is of the type and `null`, which nothing is. So
 * such an item is taken for what it can be converted to, if that is possible, even when it fits as it is.
 */

export function coerceToStringOrNull(value: unknown): string | null | undefined {
  const data = onlyItem(value)
  return stringFrom(data) ?? nullFrom(data)
}

export function coerceToNumberOrNull(value: unknown): number | null | undefined {
  const data = onlyItem(value)
  return numberFrom(data) ?? nullFrom(data)
}

export function coerceToIntegerOrNull(value: unknown): number | null | undefined {
  const data = onlyItem(value)
  return integerFrom(data) ?? nullFrom(data)
}

export function coerceToBooleanOrNull(value: unknown): boolean | null | undefined {
  const data = onlyItem(value)
  return booleanFrom(data) ?? nullFrom(data)
}

function nullFrom(data: unknown): null | undefined {
  return data === '' || data === 0 || data === false ? null : undefined
}

function stringFrom(data: unknown): string | undefined {
  if (typeof data === 'number' || typeof data === 'boolean') return `${data}`
  return data === null ? '' : undefined
}

/** A text counts when it is a number in the sense of `==`, so that spaces around it do not matter. */
function numberFrom(data: unknown): number | undefined {
  if (typeof data === 'boolean' || data === null) return Number(data)
  if (typeof data !== 'string' || data === '') return undefined
  const number = Number(data)
  return isNaN(number) ? undefined : number
}

function integerFrom(data: unknown): number | undefined {
  const number = numberFrom(data)
  // `Infinity % 1` is `NaN`, which Ajv takes for no remainder.
  return number !== undefined && number % 1 ? undefined : number
}

function booleanFrom(data: unknown): boolean | undefined {
  if (data === 'false' || data === 0 || data === null) return false
  return data === 'true' || data === 1 ? true : undefined
}
