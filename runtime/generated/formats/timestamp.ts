/** The type `timestamp` of JSON Type Definition in Ajv 8: RFC 3339, section 5.6, with a zone. */
import { DATE_TIME_SEPARATOR, isDate } from './date.ts'

const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-]\d\d)(?::?(\d\d))?)$/i

/** @param allowDate the Ajv option: accepts a date alone */
export function isTimestamp(text: string, allowDate?: boolean): boolean {
  const [date = '', time, ...rest] = text.split(DATE_TIME_SEPARATOR, 3)
  if (rest.length > 0 || !isDate(date)) return false
  return time === undefined ? allowDate === true : isZonedTime(time)
}

function isZonedTime(text: string): boolean {
  const parts = TIME.exec(text)
  if (parts === null) return false
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  if (hour <= 23 && minute <= 59 && second <= 59) return true
  // A leap second, computed as Ajv does. That's right only for UTC and whole hours west of it: `24:59:60+01:00` matches, `00:59:60+01:00`
  // doesn't.
  const zoneHours = Number(parts[4] ?? 0)
  const zoneMinutes = Number(parts[5] ?? 0)
  return hour - zoneHours === 23 && minute - zoneMinutes === 59 && second === 60
}
