import type { NumberFormat } from './format.ts'

const MIN_INT32 = -(2 ** 31)
const MAX_INT32 = 2 ** 31 - 1

function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= MIN_INT32 && value <= MAX_INT32
}

/** Ajv has checked the type, and every number is a float. */
function acceptAll(): boolean {
  return true
}

export const formatInt32: NumberFormat = { type: 'number', validate: isInt32 }
/** Accepts any integer, as ajv-formats does: from 2 ** 53, JavaScript has rounded a number before its limits could be checked. */
export const formatInt64: NumberFormat = {
  type: 'number',
  validate: (value) => Number.isInteger(value),
}
export const formatFloat: NumberFormat = { type: 'number', validate: acceptAll }
export const formatDouble: NumberFormat = { type: 'number', validate: acceptAll }
