/** `date`, `time` and `date-time` as ajv-formats 2.1.1 reads them: a time may go without a zone. */
import type { OrderedFormat } from './format.ts'

const DATE = /^(\d\d\d\d)-(\d\d)-(\d\d)$/
const DAYS_OF_MONTH: readonly number[] = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const TIME = /^(\d\d):(\d\d):(\d\d)(\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i
export const DATE_TIME_SEPARATOR: RegExp = /t|\s/i

export function isDate(text: string): boolean {
  const parts = DATE.exec(text)
  if (parts === null) return false
  const month = Number(parts[2])
  const day = Number(parts[3])
  const lastDay = month === 2 && isLeapYear(Number(parts[1])) ? 29 : DAYS_OF_MONTH[month]
  return lastDay !== undefined && day >= 1 && day <= lastDay
}

/** RFC 3339, appendix C. */
function isLeapYear(year: number): boolean {
  return year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)
}

function isTime(text: string): boolean {
  const parts = TIME.exec(text)
  if (parts === null) return false
  const hour = Number(parts[1])
  const minute = Number(parts[2])
  const second = Number(parts[3])
  // A leap second is the last one of a day.
  return (
    (hour <= 23 && minute <= 59 && second <= 59) || (hour === 23 && minute === 59 && second === 60)
  )
}

function isDateTime(text: string): boolean {
  const [date, time, ...rest] = text.split(DATE_TIME_SEPARATOR)
  return time !== undefined && rest.length === 0 && isDate(date as string) && isTime(time)
}

export function compareDates(a: string, b: string): number | undefined {
  return a && b ? order(a, b) : undefined
}

/** Zones do not count: the comparison is one of digits. */
export function compareTimes(a: string, b: string): number | undefined {
  const digitsOfA = a && timeDigits(a)
  const digitsOfB = b && timeDigits(b)
  return digitsOfA && digitsOfB ? order(digitsOfA, digitsOfB) : undefined
}

export function compareDateTimes(a: string, b: string): number | undefined {
  if (!a || !b) return undefined
  const [dateOfA, timeOfA] = a.split(DATE_TIME_SEPARATOR) as [string, string]
  const [dateOfB, timeOfB] = b.split(DATE_TIME_SEPARATOR) as [string, string]
  const byDate = compareDates(dateOfA, dateOfB)
  return byDate === 0 ? compareTimes(timeOfA, timeOfB) : byDate
}

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
