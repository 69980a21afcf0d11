/** `framework/internal`: what generated code imports. Not for applications; it may change with any release. */
export { openArtifact, openEagerArtifact } from './artifact/load.ts'
export { equal } from './generated/equal.ts'
export {
  formatDate,
  formatDateFast,
  formatDateTime,
  formatDateTimeFast,
  formatTime,
  formatTimeFast,
} from './generated/formats/date.ts'
export * from './generated/formats/json-pointer.ts'
export * from './generated/formats/network.ts'
export * from './generated/formats/numbers.ts'
export * from './generated/formats/text.ts'
export * from './generated/formats/uri.ts'
export * from './generated/formats/zoned-date.ts'
export * from './generated/coerce.ts'
export * from './generated/failure.ts'
export * from './generated/keywords.ts'
export * from './generated/serialize-array.ts'
export * from './generated/serialize-date.ts'
export * from './generated/serialize-number.ts'
export * from './generated/serialize-object.ts'
export * from './generated/serialize-text.ts'
export { ucs2length } from './generated/ucs2length.ts'
export { ValidationError } from './generated/validation-error.ts'
