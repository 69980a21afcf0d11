import { Readable } from 'node:stream'
import { FetchConnection } from './connection.ts'

/** What is known of a call besides the request. */
export interface FetchCall {
  readonly request: Request
  /** All that the platform called with: the request, then what else it gives, such as bindings. */
  readonly args: readonly unknown[]
  readonly remoteAddress: string | undefined
}

type Body = ReadableStreamDefaultReader<Uint8Array>

/** A `Request` with the interface of node:http's: what `request.raw` is when the application is called by `fetch`. */
export class FetchRequest extends Readable {
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
  /** What the platform called with. */
  readonly call: FetchCall
  readonly #body: ReadableStream<Uint8Array> | null
  #reader: Body | undefined
  #socket: FetchConnection | undefined
  readonly #isEncrypted: boolean

  constructor(call: FetchCall) {
    super()
    const { request } = call
    const { url } = request
    // An absolute URL; what stands before the path cannot hold a slash.
    const start = url.indexOf('/', url.indexOf('//') + 2)
    const end = url.indexOf('#', start)
    this.call = call
    this.method = request.method
    this.url = url.slice(start, end === -1 ? undefined : end)
    this.#isEncrypted = url.startsWith('https:')
    this.#body = request.body as ReadableStream<Uint8Array> | null
    this.headers = toNodeHeaders(request.headers, this.#body !== null)
    this.headers['host'] ??= url.slice(url.indexOf('//') + 2, start)
  }

  /** Names and values in turn; lower-cased, since `fetch` keeps neither the case nor the order. */
  get rawHeaders(): string[] {
    return Object.entries(this.headers).flatMap(([name, value]) =>
      Array.isArray(value) ? value.flatMap((one) => [name, one]) : [name, value],
    )
  }

  get socket(): FetchConnection {
    return (this.#socket ??= new FetchConnection(
      this.call.remoteAddress,
      this.#isEncrypted,
      (error) => this.destroy(error),
    ))
  }

  get connection(): FetchConnection {
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
    if (this.#body === null) {
      this.complete = true
      this.push(null)
      return
    }
    this.#reader ??= this.#body.getReader() as Body
    this.#reader.read().then(
      ({ done, value }) => {
        if (done) {
          this.complete = true
          this.push(null)
        } else {
          this.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
        }
      },
      (error: Error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.complete) {
      this.aborted = true
      this.emit('aborted')
    }
    // What the client still sends is of no use to anybody; that it cannot be told so changes nothing.
    if (this.#reader !== undefined) this.#reader.cancel().catch(noop)
    else if (this.#body !== null && !this.#body.locked) this.#body.cancel().catch(noop)
    // As on Node: an error that nobody listens for is no failure of the process.
    process.nextTick(done, this.listenerCount('error') === 0 ? null : error)
  }
}

/**
 * Headers as node:http gives them. A body of unknown length has the encoding that HTTP/1 would have sent it in: the
 * lifecycle tells by it that there is one.
 */
function toNodeHeaders(given: Headers, hasBody: boolean): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  given.forEach((value, name) => {
    if (name !== 'set-cookie') headers[name] = value
    else headers[name] = given.getSetCookie()
  })
  if (hasBody && headers['content-length'] === undefined) headers['transfer-encoding'] ??= 'chunked'
  return headers
}

function noop(): void {}
