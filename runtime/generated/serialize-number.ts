/** Serializes numbers and booleans as fast-json-stringify does: an infinite number becomes `null`, but isn't an integer. */

type Round = (value: number) => number

function integer(value: unknown, round: Round): string {
  if (Number.isInteger(value)) return `${value as number}`
  if (typeof value === 'bigint') return value.toString()
  const rounded = round(value as number)
  if (!Number.isFinite(rounded)) {
    throw new Error(`The value "${value as string}" cannot be converted to an integer.`)
  }
  return `${rounded}`
}

/** The default, and `rounding: 'trunc'`. */
export function asInteger(value: unknown): string {
  return integer(value, Math.trunc)
}

/** `rounding: 'ceil'`. */
export function asIntegerCeil(value: unknown): string {
  return integer(value, Math.ceil)
}

/** `rounding: 'floor'`. */
export function asIntegerFloor(value: unknown): string {
  return integer(value, Math.floor)
}

/** `rounding: 'round'`. */
export function asIntegerRound(value: unknown): string {
  return integer(value, Math.round)
}

export function asNumber(value: unknown): string {
  const number = Number(value)
  if (Number.isFinite(number)) return `${number}`
  if (Number.isNaN(number)) {
    throw new Error(`The value "${value as string}" cannot be converted to a number.`)
  }
  return 'null'
}

export function asBoolean(value: unknown): string {
  return value ? 'true' : 'false'
}
