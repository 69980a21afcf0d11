import type * as Stream from 'node:stream'
import { streams } from '../../platform/index.ts'
import { HostedConnection } from './connection.ts'

const Readable: typeof Stream.Readable = streams().Readable

/** What a platform tells of a request, in the way of node:http. */
export interface IncomingHead {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** By names in lower case. */
  readonly headers: Record<string, string | string[]>
  /** Names and values in turn, as they came. */
  readonly rawHeaders?: readonly string[]
  /** `undefined` when nobody tells. */
  readonly remoteAddress: string | undefined
  /** Whether the client speaks TLS. */
  readonly isEncrypted: boolean
}

/** Where the bytes of a body come from. */
export interface IncomingBody {
  /** Calls `deliver` once, at any time: with the next bytes, or `null` after the last; or `fail`. */
  pull(deliver: (chunk: Buffer | null) => void, fail: (error: Error) => void): void
  /** Nobody reads the rest. */
  cancel(): void
}

/** A request with the interface of node:http's where there is no socket: what `request.raw` is there. */
export class HostedRequest extends Readable {
  method: string
  /** Path and query. */
  url: string
  readonly headers: Record<string, string | string[]>
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly httpVersionMinor = 1
  readonly trailers: object = {}
  readonly rawTrailers: readonly string[] = []
  /** The body has come whole. */
  complete = false
  /** The client went away, or somebody destroyed the request, before it was read. */
  aborted = false
  readonly #head: IncomingHead
  readonly #body: IncomingBody | null
  #socket: HostedConnection | undefined

  /** @param body `null` when there is none */
  constructor(head: IncomingHead, body: IncomingBody | null) {
    super()
    this.method = head.method
    this.url = head.url
    this.headers = head.headers
    this.#head = head
    this.#body = body
  }

  /** Names and values in turn; lower-cased where the platform keeps neither the case nor the order. */
  get rawHeaders(): readonly string[] {
    return (
      this.#head.rawHeaders ??
      Object.entries(this.headers).flatMap(([name, value]) =>
        Array.isArray(value) ? value.flatMap((one) => [name, one]) : [name, value],
      )
    )
  }

  get socket(): HostedConnection {
    const { remoteAddress, isEncrypted } = this.#head
    return (this.#socket ??= new HostedConnection(remoteAddress, isEncrypted, (error) =>
      this.destroy(error),
    ))
  }

  get connection(): HostedConnection {
    return this.socket
  }

  /** The connection's time is the platform's: the callback never runs. */
  setTimeout(): this {
    return this
  }

  /** Ends the request without calling it aborted: the answer is out, nobody reads the rest. */
  dump(): void {
    if (this.destroyed || this.readableEnded) return
    this.complete = true
    if (this.#body === null) this.resume()
    else this.destroy()
  }

  override _read(): void {
    if (this.#body === null) this.#deliver(null)
    else this.#body.pull(this.#deliver, this.#fail)
  }

  readonly #deliver = (chunk: Buffer | null): void => {
    if (chunk === null) this.complete = true
    this.push(chunk)
  }

  readonly #fail = (error: Error): void => void this.destroy(error)

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.complete) {
      this.aborted = true
      this.emit('aborted')
    }
    this.#body?.cancel()
    // As on Node: an error that nobody listens for is no failure of the process.
    process.nextTick(done, this.listenerCount('error') === 0 ? null : error)
  }
}
