import type { Failure } from '../../serve/model.ts'

export function isErrorStatus(statusCode: unknown): statusCode is number {
  return (statusCode as number) >= 400 && (statusCode as number) <= 599
}

/** Returns the status that an error has. `statusCode` comes before `status`. */
export function statusIn(error: Failure | null | undefined): number | undefined {
  if (isErrorStatus(error?.statusCode)) return error.statusCode
  return isErrorStatus(error?.status) ? error.status : undefined
}

export function statusOf(error: Failure | null | undefined): number {
  return statusIn(error) ?? 500
}

/** Returns text, as fast-json-stringify writes any value for the type `string`. */
export function toErrorText(value: unknown): string | undefined {
  if (typeof value === 'string' || value === undefined) return value
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString()
  return value instanceof RegExp ? value.source : (value as object).toString()
}
