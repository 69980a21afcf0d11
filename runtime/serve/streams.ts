import type { RawReply } from './model.ts'

/** Returns whether the payload can be piped. */
export function isStream(payload: unknown): payload is NodeJS.ReadableStream {
  return typeof (payload as { pipe?: unknown }).pipe === 'function'
}

/** Prevents a stream that fails while hooks are running from ending the process. Its reader gets the error later. */
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
