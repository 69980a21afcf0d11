/** Functions that decide whether a request has a body to parse. Each method of a line that allows a body schema has one. */
import { headerOf } from '../exchange.ts'
import type { Failure, Request } from '../model.ts'

/**
 * Returns the content type of a body, `''` if it has none, or `null` if there is no body to parse. Returns an error, with its status, for a
 * request that can't be parsed.
 */
export type ReadContentType = (request: Request, method: string) => string | null | Failure

/** Any body is parsed, one without content type only if it isn't empty. */
export function anyBody(request: Request): string | null {
  return headerOf(request, 'content-type') ?? untypedBody(request)
}

/** For a request without content type. */
export function untypedBody(request: Request): '' | null {
  const length = headerOf(request, 'content-length')
  if (length !== undefined && length !== '0') return ''
  return headerOf(request, 'transfer-encoding') === undefined ? null : ''
}

/** A body is parsed only if its type is given, and its length or transfer encoding. */
export function describedBody(request: Request): string | null {
  const hasLength =
    headerOf(request, 'content-length') !== undefined ||
    headerOf(request, 'transfer-encoding') !== undefined
  return hasLength ? (headerOf(request, 'content-type') ?? null) : null
}

/** No body is parsed. */
export function noBody(): null {
  return null
}
