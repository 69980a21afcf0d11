import type * as Stream from 'node:stream'
import { streams } from '../../platform/index.ts'
import { HostedConnection } from './connection.ts'

const Readable: typeof Stream.Readable = streams().Readable

/** A request as the platform provides it, in the format of `node:http`. */
export interface IncomingHead {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** By name in lower case. */
  readonly headers: Record<string, string | string[]>
  /** Alternating names and values, as received. */
  readonly rawHeaders?: readonly string[]
  /** `undefined` if the platform doesn't provide it. */
  readonly remoteAddress: string | undefined
  /** True if the client uses TLS. */
  readonly isEncrypted: boolean
}

/** The source of a body. */
export interface IncomingBody {
  /** Calls `deliver` once with the next bytes, or with `null` after the last ones, or calls `fail`. */
  pull(deliver: (chunk: Buffer | null) => void, fail: (error: Error) => void): void
  /** Called when the rest won't be read. */
  cancel(): void
}

/** The `request.raw` of platforms without sockets, with the interface of `IncomingMessage`. */
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
  /** True if the whole body was received. */
  complete = false
  /** True if the client disconnected or the request was destroyed before it was read. */
  aborted = false
  readonly #head: IncomingHead
  readonly #body: IncomingBody | null
  #socket: HostedConnection | undefined

  /** @param body `null` if there is none */
  constructor(head: IncomingHead, body: IncomingBody | null) {
    super()
    this.method = head.method
    this.url = head.url
    this.headers = head.headers
    this.#head = head
    this.#body = body
  }

  /** Alternating names and values. In lower case if the platform doesn't keep the original. */
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

  /** Does nothing, because the platform manages timeouts. */
  setTimeout(): this {
    return this
  }

  /** Ends the request after the response was sent, without setting `aborted`. */
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
    // As in Node: an error without listeners doesn't end the process.
    process.nextTick(done, this.listenerCount('error') === 0 ? null : error)
  }
}
