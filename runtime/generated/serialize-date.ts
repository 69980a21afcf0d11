/** Serializes dates and times. Strings stay unchanged, `null` becomes an empty string. */
import { asDateText } from './serialize-text.ts'

const MINUTE = 60_000

/** `format: 'date-time'`: UTC, with milliseconds. */
export function asDateTime(value: unknown): string {
  if (!(value instanceof Date)) return notDate(value, 'date-time')
  const year = value.getUTCFullYear()
  if (!hasFourDigits(year)) return `"${value.toISOString()}"`
  // Digit by digit, because `toISOString` takes twice as long.
  const day = `${fourDigits(year)}-${twoDigits(value.getUTCMonth() + 1)}-${twoDigits(value.getUTCDate())}`
  const ms = value.getUTCMilliseconds()
  const fraction = ms < 100 ? `0${twoDigits(ms)}` : ms
  return `"${day}T${twoDigits(value.getUTCHours())}:${twoDigits(value.getUTCMinutes())}:${twoDigits(value.getUTCSeconds())}.${fraction}Z"`
}

/** `format: 'date'`: the date in the zone of the process. */
export function asDate(value: unknown): string {
  if (!(value instanceof Date)) return notDate(value, 'date')
  const year = value.getFullYear()
  if (!hasFourDigits(year)) return `"${localIso(value).slice(0, 10)}"`
  return `"${fourDigits(year)}-${twoDigits(value.getMonth() + 1)}-${twoDigits(value.getDate())}"`
}

/** `format: 'time'`: the time in the zone of the process, without the zone. */
export function asTime(value: unknown): string {
  if (!(value instanceof Date)) return notDate(value, 'time')
  const hours = value.getHours()
  if (Number.isNaN(hours)) return `"${localIso(value).slice(11, 19)}"`
  return `"${twoDigits(hours)}:${twoDigits(value.getMinutes())}:${twoDigits(value.getSeconds())}"`
}

function notDate(value: unknown, format: string): string {
  if (value === null) return '""'
  if (typeof value === 'string') return asDateText(value)
  throw new Error(`The value "${value as string}" cannot be converted to a ${format}.`)
}

function localIso(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE).toISOString()
}

/** Years from 0 to 9999. Others have a sign and six digits, and invalid dates throw in `toISOString`. */
function hasFourDigits(year: number): boolean {
  return year >= 0 && year <= 9999
}

function fourDigits(year: number): string {
  return year > 999 ? `${year}` : `${year}`.padStart(4, '0')
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}
