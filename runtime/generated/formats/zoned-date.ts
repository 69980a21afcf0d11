/** `time`, `date-time` and their `iso-` variants of ajv-formats 3.0.1, for unions of fast-json-stringify. Without `iso-`, a zone is required. */
import { comparingDateTimes, compareTimes, DATE_TIME_SEPARATOR, isDate } from './date.ts'
import type { OrderedFormat } from './format.ts'

const TIME = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?$/i

/** Accepts leap seconds at the end of a day of UTC. */
function isTime(text: string, needsZone: boolean): boolean {
  const parts = TIME.exec(text)
  if (parts === null) return false
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const zone = parts[4]
  const sign = parts[5] === '-' ? -1 : 1
  const zoneHours = Number(parts[6] ?? 0)
  const zoneMinutes = Number(parts[7] ?? 0)
  if (zoneHours > 23 || zoneMinutes > 59 || (needsZone && !zone)) return false
  if (hour <= 23 && minute <= 59 && second < 60) return true
  const utcMinute = minute - zoneMinutes * sign
  const utcHour = hour - zoneHours * sign - (utcMinute < 0 ? 1 : 0)
  const isLastMinute = (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1)
  return isLastMinute && second < 61
}

function isDateTime(text: string, needsZone: boolean): boolean {
  const [date, time, ...rest] = text.split(DATE_TIME_SEPARATOR, 3)
  return (
    time !== undefined && rest.length === 0 && isDate(date as string) && isTime(time, needsZone)
  )
}

/** Compares instants. As in ajv-formats, a time whose value is 0 is invalid. */
function compareInstants(a: string, b: string, prefix: string): number | undefined {
  if (!a || !b) return undefined
  const instantOfA = Date.parse(prefix + a)
  const instantOfB = Date.parse(prefix + b)
  return instantOfA && instantOfB ? instantOfA - instantOfB : undefined
}

function compareZonedTimes(a: string, b: string): number | undefined {
  return compareInstants(a, b, '2020-01-01T')
}

function compareZonedDateTimes(a: string, b: string): number | undefined {
  return compareInstants(a, b, '')
}

const compareIsoDateTimes = comparingDateTimes(compareZonedTimes)

export const formatZonedTime: OrderedFormat = {
  validate: (text) => isTime(text, true),
  compare: compareZonedTimes,
}
export const formatZonedDateTime: OrderedFormat = {
  validate: (text) => isDateTime(text, true),
  compare: compareZonedDateTimes,
}
export const formatIsoTime: OrderedFormat = {
  validate: (text) => isTime(text, false),
  compare: compareTimes,
}
export const formatIsoDateTime: OrderedFormat = {
  validate: (text) => isDateTime(text, false),
  compare: compareIsoDateTimes,
}

export const formatZonedTimeFast: OrderedFormat = {
  validate: /^(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i,
  compare: compareZonedTimes,
}
export const formatZonedDateTimeFast: OrderedFormat = {
  validate:
    /^\d\d\d\d-[0-1]\d-[0-3]\dt(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i,
  compare: compareZonedDateTimes,
}
export const formatIsoTimeFast: OrderedFormat = {
  validate: /^(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i,
  compare: compareTimes,
}
export const formatIsoDateTimeFast: OrderedFormat = {
  validate:
    /^\d\d\d\d-[0-1]\d-[0-3]\d[t\s](?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i,
  compare: compareIsoDateTimes,
}
