/** Everything that generated code may call. */
export { equal } from './equal.ts'
export {
  formatDate,
  formatDateFast,
  formatDateTime,
  formatDateTimeFast,
  formatTime,
  formatTimeFast,
} from './formats/date.ts'
export * from './formats/numbers.ts'
export * from './formats/patterns.ts'
export * from './formats/timestamp.ts'
export * from './formats/zoned-date.ts'
export * from './coerce.ts'
export * from './failure.ts'
export { isJsonObject } from './json-object.ts'
export * from './keywords.ts'
export * from './plugin-parts.ts'
export * from './serialize-array.ts'
export * from './serialize-date.ts'
export * from './serialize-number.ts'
export * from './serialize-errors.ts'
export * from './serialize-text.ts'
export * from './short-names.ts'
export { ucs2length } from './ucs2length.ts'
export { ValidationError } from './validation-error.ts'
export * from './zod.ts'
