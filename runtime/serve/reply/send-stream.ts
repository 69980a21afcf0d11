import { streams } from '../../platform/index.ts'
import { outgoingOf } from '../exchange.ts'
import { checkChunks, cutOff, failureOf } from '../streams.ts'
import { guard } from '../guard.ts'
import type { Logger, Reply } from '../model.ts'
import { kContext, kReplyHeaders, kReplyTrailers } from '../symbols.ts'
import { endWithTrailers } from './trailers.ts'

export type FailReply = (reply: Reply, error: unknown) => void

/** The methods that may end a stream. Those of Node have `destroy`. */
export interface Endable {
  destroy?(): void
  close?(callback: () => void): void
  abort?(): void
}

/** Pipes a stream into the response. If the stream fails, answers the error or cuts the response off. A response that ends first ends the stream. */
export function sendStream(stream: NodeJS.ReadableStream, reply: Reply, fail: FailReply): void {
  const { finished } = streams()
  const { raw } = reply
  let isSourceOpen = true
  let isErrorLogged = false
  const failure = failureOf(stream)
  if (failure !== undefined) {
    endStream(stream as Endable, reply.log)
    endSource(failure)
    return
  }
  const payload = checkChunks(stream)

  if (reply[kReplyTrailers] !== null) {
    payload.on('end', () => guard(endInTrailers, null, reply.request, reply))
  }
  finished(payload, { readable: true, writable: false }, (error) =>
    guard(endSource, error, reply.request, reply),
  )
  const watch = (): void => {
    finished(raw, (error) => guard(endTarget, error, reply.request, reply))
  }
  if (raw.headersSent) {
    reply.log.warn("response will send, but you shouldn't use res.writeHead in stream mode")
  } else {
    // The head is written with the first chunk. Until then, an error of the stream can be answered.
    const headers = reply[kReplyHeaders]
    try {
      for (const name in headers) raw.setHeader(name, headers[name] as string)
    } catch (error) {
      // The answer to this error ends the stream.
      watch()
      throw error
    }
  }
  // With trailers, the response ends after them.
  if (reply[kReplyTrailers] === null) outgoingOf(raw).pipe(raw, payload, watch)
  else {
    watch()
    payload.pipe(raw, { end: false })
  }

  function endInTrailers(): void {
    endWithTrailers(reply, null)
  }

  function endSource(error: unknown): void {
    isSourceOpen = false
    if (error === null || error === undefined) return
    if (!raw.headersSent && reply.request.raw.aborted !== true) {
      fail(reply, error)
      return
    }
    logOnce(error)
    // Another payload may have been sent completely.
    if (!raw.writableEnded) cutOff(raw, error as Error)
  }

  function endTarget(error: unknown): void {
    if (!isSourceOpen) return
    if (error !== null && error !== undefined && raw.headersSent) {
      logOnce(error)
    }
    endStream(payload as Endable, reply.log)
  }

  function logOnce(error: unknown): void {
    if (isErrorLogged) return
    isErrorLogged = true
    reply.server[kContext].app.logging.streamError(error, reply.request, reply)
  }
}

export function endStream(stream: Endable, log: Logger): void {
  if (typeof stream.destroy === 'function') stream.destroy()
  else if (typeof stream.close === 'function') stream.close(() => {})
  else if (typeof stream.abort === 'function') stream.abort()
  else log.warn('stream payload does not end properly')
}
