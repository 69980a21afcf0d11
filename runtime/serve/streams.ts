/** Functions for streams that are payloads or bodies. */
import { errorCodes } from '../errors/index.ts'
import { streams } from '../platform/index.ts'
import type { RawReply } from './model.ts'

/** Returns whether the payload can be piped. */
export function isStream(payload: unknown): payload is NodeJS.ReadableStream {
  return typeof (payload as { pipe?: unknown }).pipe === 'function'
}

/** Prevents a stream that fails without a reader from ending the process. A later reader still gets the error. */
export function holdErrors(stream: NodeJS.ReadableStream): void {
  if (typeof stream.on === 'function') stream.on('error', noop)
}

function noop(): void {}

/**
 * Ends an incomplete response so that the client notices. Over HTTP/2 it needs an error: a stream that is reset with NO_ERROR looks
 * complete (RFC 9113, section 8.1).
 */
export function cutOff(raw: RawReply, error: Error): void {
  const { stream } = raw as { stream?: { destroy(error: Error): void } }
  if (stream === undefined) raw.destroy()
  else stream.destroy(error)
}

/**
 * Makes an object stream fail when it has a chunk that is neither text nor bytes. Writing such a chunk would throw inside an event of the
 * stream, where nobody catches it.
 */
export function checkChunks(stream: NodeJS.ReadableStream): NodeJS.ReadableStream {
  if ((stream as { readableObjectMode?: boolean }).readableObjectMode !== true) return stream
  const { pipeline, Transform } = streams()
  const checked = new Transform({
    writableObjectMode: true,
    transform(chunk: unknown, _encoding, done) {
      if (isChunk(chunk)) done(null, chunk)
      else done(invalidChunk(chunk))
    },
  })
  // Destroys both when one fails. The reader gets the error.
  return pipeline(stream, checked, () => {})
}

export function isChunk(chunk: unknown): chunk is string | Uint8Array {
  return typeof chunk === 'string' || chunk instanceof Uint8Array
}

export function invalidChunk(chunk: unknown): Error {
  return new errorCodes.FST_ERR_REP_INVALID_PAYLOAD_TYPE(typeof chunk)
}
