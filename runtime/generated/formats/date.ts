/** `date`, `time` and `date-time` of ajv-formats 2.1.1, where the zone of a time is optional, except in the fast `date-time`. */
import type { OrderedFormat } from './format.ts'

const DAYS_OF_MONTH: readonly number[] = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const TIME = /^(\d\d):(\d\d):(\d\d)(\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i
export const DATE_TIME_SEPARATOR: RegExp = /t|\s/i

const PLUS = 43
const HYPHEN = 45
const POINT = 46
const COLON = 58
const LARGE_T = 84
const LARGE_Z = 90
const SMALL_Z = 122

export function isDate(text: string): boolean {
  return text.length === 10 && startsWithDate(text)
}

/*
 * Reads character by character, which is several times as fast as a regular expression with groups.
 */

/** @param text at least ten characters */
function startsWithDate(text: string): boolean {
  if (text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN) return false
  const century = twoDigits(text, 0)
  const year = twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  if (century < 0 || year < 0 || month < 1 || month > 12 || day < 1) return false
  if (day <= 28) return true
  return day <= (month === 2 && isLeapYear(100 * century + year) ? 29 : (DAYS_OF_MONTH[month] ?? 0))
}

/** Returns the value of digits, and a negative number for other characters. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : -1
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

/** RFC 3339, appendix C. */
function isLeapYear(year: number): boolean {
  return year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)
}

function isTime(text: string): boolean {
  return isTimeFrom(text, 0)
}

function isTimeFrom(text: string, at: number): boolean {
  const { length } = text
  if (length < at + 8) return false
  if (text.charCodeAt(at + 2) !== COLON || text.charCodeAt(at + 5) !== COLON) return false
  const hour = twoDigits(text, at)
  const minute = twoDigits(text, at + 3)
  const second = twoDigits(text, at + 6)
  if (hour < 0 || minute < 0 || second < 0 || hour > 23 || minute > 59) return false
  // A leap second is the last second of a day.
  if (second > 59 && !(hour === 23 && minute === 59 && second === 60)) return false
  let end = at + 8
  if (length > end && text.charCodeAt(end) === POINT) {
    const start = ++end
    while (end < length && isDigit(text.charCodeAt(end))) end++
    if (end === start) return false
  }
  return end === length || isZone(text, end)
}

/** `z`, or hours with or without minutes. */
function isZone(text: string, at: number): boolean {
  const sign = text.charCodeAt(at)
  const rest = text.length - at
  if (sign === SMALL_Z || sign === LARGE_Z) return rest === 1
  if ((sign !== PLUS && sign !== HYPHEN) || rest < 3 || twoDigits(text, at + 1) < 0) return false
  if (rest === 3) return true
  const minutes = text.charCodeAt(at + 3) === COLON ? at + 4 : at + 3
  return text.length === minutes + 2 && twoDigits(text, minutes) >= 0
}

function isDateTime(text: string): boolean {
  if (text.length < 19) return false
  const separator = text.charCodeAt(10)
  return (
    (separator === LARGE_T || DATE_TIME_SEPARATOR.test(text[10] as string)) &&
    startsWithDate(text) &&
    isTimeFrom(text, 11)
  )
}

export function compareDates(a: string, b: string): number | undefined {
  return a && b ? order(a, b) : undefined
}

/** Compares digits and ignores zones. */
export function compareTimes(a: string, b: string): number | undefined {
  const digitsOfA = a && timeDigits(a)
  const digitsOfB = b && timeDigits(b)
  return digitsOfA && digitsOfB ? order(digitsOfA, digitsOfB) : undefined
}

/** Compares dates, and times if the dates are equal. */
export function comparingDateTimes(times: typeof compareTimes): typeof compareTimes {
  return (a, b) => {
    if (!a || !b) return undefined
    const [dateOfA, timeOfA] = a.split(DATE_TIME_SEPARATOR, 2) as [string, string]
    const [dateOfB, timeOfB] = b.split(DATE_TIME_SEPARATOR, 2) as [string, string]
    const byDate = compareDates(dateOfA, dateOfB)
    return byDate === 0 ? times(timeOfA, timeOfB) : byDate
  }
}

const compareDateTimes = comparingDateTimes(compareTimes)

function timeDigits(text: string): string | undefined {
  const parts = TIME.exec(text)
  return parts === null ? undefined : `${parts[1]}${parts[2]}${parts[3]}${parts[4] ?? ''}`
}

function order(a: string, b: string): number {
  if (a === b) return 0
  return a > b ? 1 : -1
}

export const formatDate: OrderedFormat = { validate: isDate, compare: compareDates }
export const formatTime: OrderedFormat = { validate: isTime, compare: compareTimes }
export const formatDateTime: OrderedFormat = { validate: isDateTime, compare: compareDateTimes }

export const formatDateFast: OrderedFormat = {
  validate: /^\d\d\d\d-[0-1]\d-[0-3]\d$/,
  compare: compareDates,
}
export const formatTimeFast: OrderedFormat = {
  validate: /^(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i,
  compare: compareTimes,
}
export const formatDateTimeFast: OrderedFormat = {
  validate:
    /^\d\d\d\d-[0-1]\d-[0-3]\d[t\s](?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i,
  compare: compareDateTimes,
}
