/** Decides whether a request has a body to parse. */
import type { Failure, Request } from '../model.ts'

/**
 * Returns the content type of a body, `''` if it has none, or `null` if there is no body to parse. Returns an error, with its status, for a
 * request that can't be parsed.
 */
export type ReadContentType = (
  headers: Request['headers'],
  method: string,
) => string | null | Failure

/** A body without content type counts unless it is empty. */
export function ofAny(headers: Request['headers']): string | null {
  return headers['content-type'] ?? ofUntyped(headers)
}

export function ofUntyped(headers: Request['headers']): '' | null {
  const length = headers['content-length']
  const isEmpty =
    headers['transfer-encoding'] === undefined && (length === undefined || length === '0')
  return isEmpty ? null : ''
}

/** A body counts if its type and its length are given. */
export function ofDescribed(headers: Request['headers']): string | null {
  return headers['content-type'] !== undefined &&
    (headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined)
    ? headers['content-type']
    : null
}

/** The body isn't read. */
export function ofNone(): null {
  return null
}
