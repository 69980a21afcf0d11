/** How a platform without sockets takes a response. */
import type { OutgoingHeaders } from './headers.ts'

export type Chunk = string | Uint8Array
export type Done = (error?: Error | null) => void

/** A response without its body. */
export interface Head {
  /** At least 200. */
  readonly statusCode: number
  readonly statusMessage: string
  readonly headers: OutgoingHeaders
}

/** Takes a response. Exactly one of these functions is called. */
export interface Delivery {
  /**
   * Sends a complete response.
   *
   * @param body `null` if the response has no body
   * @throws if the platform rejects it
   */
  whole(head: Head, body: Chunk | null): void
  /**
   * Sends the head, and returns the body to write to.
   *
   * @param onCancel called when the client has disconnected
   * @throws if the platform rejects it
   */
  stream(head: Head, onCancel: () => void): StreamedBody
  /** Reports that there is no response. */
  fail(error: Error): void
}

/** A body that is written chunk by chunk, with backpressure. */
export interface StreamedBody {
  /** Calls back when the next chunk can be written. */
  write(chunk: Uint8Array, done: Done): void
  /** Calls back when everything was taken. */
  close(done: Done): void
  /** Aborts the response, so that the client notices that it's incomplete. */
  fail(error: Error): void
}
