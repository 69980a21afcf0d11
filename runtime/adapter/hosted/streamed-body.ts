/** Bodies of responses that platforms take chunk by chunk. */
import type { Readable } from 'node:stream'
import { streams } from '../../platform/index.ts'

export type Chunk = string | Uint8Array
export type Done = (error?: Error | null) => void

/** A body that is written chunk by chunk, with backpressure. */
export interface StreamedBody {
  /** Calls back when the next chunk can be written. */
  write(chunk: Uint8Array, done: Done): void
  /** Calls back when everything was taken. */
  close(done: Done): void
  /** Aborts the response, so that the client notices that it's incomplete. */
  fail(error: Error): void
}

/** Creates a body that calls `send` with all chunks at once. */
export function collectBody(
  send: (body: Buffer) => void,
  fail: (error: Error) => void,
): StreamedBody {
  const chunks: Uint8Array[] = []
  return {
    write(chunk, done) {
      chunks.push(chunk)
      done()
    },
    close(done) {
      send(Buffer.concat(chunks))
      done()
    },
    fail,
  }
}

/** Checks for a stream whose `pipe` is Node's own. */
export function isReadable(stream: NodeJS.ReadableStream): stream is Readable {
  const { Readable } = streams()
  return stream instanceof Readable && stream.pipe === Readable.prototype.pipe
}

/**
 * Passes the chunks of a stream on, as its `pipe` would.
 *
 * @param write calls back when the next chunk can be written
 */
export function passOn(
  stream: Readable,
  write: (chunk: Uint8Array, done: () => void) => void,
  end: () => void,
): void {
  let isFull = false
  let isHeld = false
  const resume = (): void => {
    isFull = false
    if (isHeld) stream.resume()
    isHeld = false
  }
  stream.on('data', (chunk: Chunk) => {
    isFull = true
    write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk, resume)
    isHeld = isFull
    if (isHeld) stream.pause()
  })
  stream.on('end', end)
  stream.resume()
}
