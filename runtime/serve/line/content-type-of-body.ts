/** Decides whether a request has a body to parse. */
import { headerOf } from '../exchange.ts'
import type { Failure, Request } from '../model.ts'

/**
 * Returns the content type of a body, `''` if it has none, or `null` if there is no body to parse. Returns an error, with its status, for a
 * request that can't be parsed.
 */
export type ReadContentType = (request: Request, method: string) => string | null | Failure

/** A body without content type counts unless it is empty. */
export function ofAny(request: Request): string | null {
  return headerOf(request, 'content-type') ?? ofUntyped(request)
}

export function ofUntyped(request: Request): '' | null {
  const length = headerOf(request, 'content-length')
  if (length !== undefined && length !== '0') return ''
  return headerOf(request, 'transfer-encoding') === undefined ? null : ''
}

/** A body counts if its type and its length are given. */
export function ofDescribed(request: Request): string | null {
  const hasLength =
    headerOf(request, 'content-length') !== undefined ||
    headerOf(request, 'transfer-encoding') !== undefined
  return hasLength ? (headerOf(request, 'content-type') ?? null) : null
}

/** The body isn't read. */
export function ofNone(): null {
  return null
}
