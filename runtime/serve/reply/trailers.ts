/** Checks, announces and sends trailers. */
import { errorCodes } from '../../errors/index.ts'
import { guard } from '../guard.ts'
import { isThenable } from '../hook-runners.ts'
import type { Reply, Request, Trailer } from '../model.ts'
import { kReplyTrailers, kRoute } from '../symbols.ts'
import { emitWarning } from '../../errors/warnings.ts'

/** Fields that the recipient needs before the body (RFC 9110, section 6.5.1). */
const FORBIDDEN =
  /^(?:authorization|cache-control|content-encoding|content-length|content-range|content-type|host|max-forwards|set-cookie|te|trailer|transfer-encoding)$/

/** Fields about the connection, for which Node's HTTP/2 throws where nobody would catch it (RFC 9113, section 8.2.2). */
const OF_CONNECTION = /^(?:connection|http2-settings|keep-alive|proxy-connection|upgrade)$/

type Trailers = Record<string, Trailer | undefined>

/** @throws FST_ERR_BAD_TRAILER_NAME, FST_ERR_BAD_TRAILER_VALUE */
export function assertTrailer(name: string, trailer: unknown): void {
  if (FORBIDDEN.test(name)) throw new errorCodes.FST_ERR_BAD_TRAILER_NAME(name)
  if (typeof trailer === 'function') return
  throw new errorCodes.FST_ERR_BAD_TRAILER_VALUE(name, typeof trailer)
}

/** Sets the headers that trailers need: their names, and chunked encoding in HTTP/1. Sets none if all were removed. */
export function announceTrailers(reply: Reply, trailers: Trailers): void {
  const entries = entriesOf(trailers)
  if (entries.length === 0) {
    reply[kReplyTrailers] = null
    return
  }
  if (reply.request.raw.httpVersionMajor !== 2) reply.header('Transfer-Encoding', 'chunked')
  reply.header('Trailer', entries.map(([name]) => name).join(' '))
}

/** Computes the trailers and ends the response with them. */
export function endWithTrailers(reply: Reply, payload: unknown): void {
  const { raw } = reply
  const isHttp2 = reply.request.raw.httpVersionMajor === 2
  const entries = entriesOf(reply[kReplyTrailers] as Trailers)
  if (entries.length === 0) {
    raw.end(null, null as never, undefined)
    return
  }
  const { takesReturnedTrailers } = reply.request[kRoute].line
  const values: Record<string, string> = {}
  let pending = entries.length
  for (const [name, trailer] of entries) {
    let isDone = false
    const done = (error: unknown, value?: unknown): void => {
      if (isDone) return
      isDone = true
      pending--
      // In the next tick, because a synchronous trailer must not end the response before the others.
      process.nextTick(guard, end, null, reply.request, reply)
      guard(take, error, reply.request, reply, value)
    }
    try {
      const result = trailer(reply, payload, done)
      if (isThenable(result)) {
        result.then((value) => done(null, value), done)
      } else if (takesReturnedTrailers && result !== null && result !== undefined) {
        emitWarning('FSTDEP013')
        done(null, result)
      }
    } catch (error) {
      done(error || new errorCodes.FST_ERR_SEND_UNDEFINED_ERR())
    }

    function take(error: unknown, _request: Request, { log }: Reply, value: unknown): void {
      // The client can do without a trailer.
      if (error) log.debug(error)
      else if (canBeSent(name, value, isHttp2))
        // HTTP/2 refuses several values for some names.
        values[name] = isHttp2 && Array.isArray(value) ? value.join(', ') : (value as string)
      else log.warn(`The trailer "${name}" is omitted, because Node rejects its name or value`)
    }
  }

  function end(): void {
    if (pending !== 0) return
    // Called once for each trailer.
    pending = -1
    raw.addTrailers(values)
    raw.end(null, null as never, undefined)
  }
}

/** Returns whether Node accepts a trailer. It throws for line breaks for example, where nobody would catch it. */
function canBeSent(name: string, value: unknown, isHttp2: boolean): boolean {
  if (isHttp2 && (value === undefined || value === null || OF_CONNECTION.test(name))) return false
  const lines = Array.isArray(value) ? value : [value]
  return (
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
    lines.every((line) => /^[\t\x20-\x7e\x80-\xff]*$/.test(String(line)))
  )
}

function entriesOf(trailers: Trailers): [string, Trailer][] {
  return Object.entries(trailers).filter(
    (entry): entry is [string, Trailer] => typeof entry[1] === 'function',
  )
}
