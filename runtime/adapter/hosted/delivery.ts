import type { OutgoingHeaders } from './headers.ts'

export type Chunk = string | Uint8Array
export type Done = (error?: Error | null) => void

/** All of an answer but its body. */
export interface Head {
  /** From 200 on. */
  readonly statusCode: number
  readonly statusMessage: string
  readonly headers: OutgoingHeaders
}

/** Where an answer goes: what a platform has in the place of a socket. Exactly one of its functions is called. */
export interface Delivery {
  /**
   * @param body `null` where there can be none
   * @throws what the platform cannot send
   */
  whole(head: Head, body: Chunk | null): void
  /**
   * @param onCancel to be called when the client has gone
   * @throws as `whole`
   */
  stream(head: Head, onCancel: () => void): StreamedBody
  /** There is no answer. */
  fail(error: Error): void
}

/** A body that is written bit by bit, at the pace at which the platform takes it. */
export interface StreamedBody {
  /** Calls back when there is room for more. */
  write(chunk: Uint8Array, done: Done): void
  /** Calls back when all is taken. */
  close(done: Done): void
  /** Breaks the answer off, so that the client can tell that it is not whole. */
  fail(error: Error): void
}
