/** Functions for streams that are payloads or bodies. */
import { errorCodes } from '../errors/index.ts'
import { streams } from '../platform/index.ts'
import { logFailure } from './logger.ts'
import type { RawReply, Reply } from './model.ts'

/** Returns whether the payload can be piped. */
export function isStream(payload: unknown): payload is NodeJS.ReadableStream {
  return typeof (payload as { pipe?: unknown }).pipe === 'function'
}

/** The streams of `holdErrors`, with the error of those that have failed. */
const held = new WeakMap<object, unknown>()

/**
 * Prevents a stream of the application from ending the process if it fails while nothing reads it. `failureOf` returns its error to a later
 * reader. Other values are ignored.
 */
export function holdErrors(value: unknown, reply: Reply): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return
  if (held.has(value)) return
  try {
    const stream = value as NodeJS.ReadableStream
    if (!isStream(stream) || typeof stream.on !== 'function') return
    held.set(stream, undefined)
    stream.on('error', (error: unknown) => {
      held.set(stream, error ?? new Error('A stream failed without an error'))
      if (!hasReader(stream)) logFailure(reply.log, error, 'a stream failed unread', 'warn')
    })
  } catch {
    // No stream, but an object whose members can't be read. The step that uses it answers the error.
  }
}

/** True if something besides `holdErrors` listens to the errors of a held stream. */
function hasReader(stream: NodeJS.ReadableStream): boolean {
  return stream.listenerCount('error') > 1
}

/** Returns the error with which a held stream has failed. */
export function failureOf(stream: NodeJS.ReadableStream): unknown {
  return held.get(stream)
}

/** Calls back if a held stream fails while nothing but `holdErrors` listens to its errors. */
export function onUnreadFailure(
  stream: NodeJS.ReadableStream,
  callback: (error: unknown) => void,
): void {
  if (!held.has(stream)) return
  const failure = failureOf(stream)
  if (failure !== undefined) callback(failure)
  else stream.once('error', (error: unknown) => hasReader(stream) || callback(error))
}
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
