import { Writable } from 'node:stream'
import { reasonPhrases } from '../../errors/reason-phrases.ts'
import { createStreamedBody, type StreamedBody } from './body.ts'
import type { FetchConnection } from './connection.ts'
import { OutgoingHeaders } from './headers.ts'
import type { FetchRequest } from './request.ts'

type Value = string | number | readonly string[]
type Callback = (error?: Error | null) => void
type Chunk = string | Uint8Array
type BodyInit = ConstructorParameters<typeof Response>[0]

/** Statuses that an answer with a body cannot have. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * node:http's `ServerResponse`, from which a `Response` is made: what `reply.raw` is when the application is called by
 * `fetch`. What is ended at once goes out in one piece, anything else as a stream.
 */
export class FetchResponse extends Writable {
  statusCode = 200
  statusMessage: string | undefined
  sendDate = true
  readonly req: FetchRequest
  readonly #headers = new OutgoingHeaders()
  readonly #deliver: (response: Response) => void
  readonly #fail: (error: Error) => void
  #isHeadWritten = false
  #isDelivered = false
  #body: StreamedBody | undefined

  constructor(
    request: FetchRequest,
    deliver: (response: Response) => void,
    fail: (error: Error) => void,
  ) {
    super()
    this.req = request
    this.#deliver = deliver
    this.#fail = fail
  }

  get headersSent(): boolean {
    return this.#isHeadWritten
  }

  get finished(): boolean {
    return this.writableEnded
  }

  get socket(): FetchConnection {
    return this.req.socket
  }

  get connection(): FetchConnection {
    return this.req.socket
  }

  /** @throws ERR_HTTP_HEADERS_SENT, ERR_INVALID_HTTP_TOKEN, ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_CHAR */
  setHeader(name: string, value: Value): this {
    this.#assertHeadIsOpen('set')
    this.#headers.set(name, value)
    return this
  }

  setHeaders(headers: Headers | ReadonlyMap<string, Value>): this {
    for (const [name, value] of headers) this.setHeader(name, value)
    return this
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    this.#assertHeadIsOpen('append')
    this.#headers.append(name, value)
    return this
  }

  getHeader(name: string): Value | undefined {
    return this.#headers.get(name)
  }

  getHeaders(): Record<string, Value> {
    return this.#headers.toObject()
  }

  getHeaderNames(): string[] {
    return this.#headers.names()
  }

  getRawHeaderNames(): string[] {
    return this.#headers.rawNames()
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name)
  }

  removeHeader(name: string): void {
    this.#assertHeadIsOpen('remove')
    this.#headers.delete(name)
  }

  /** Fixes status and headers; they go out with the first byte of the body. */
  writeHead(
    statusCode: number,
    reason?: string | object,
    given?: Record<string, Value> | readonly unknown[],
  ): this {
    this.#assertHeadIsOpen('write')
    assertStatus(statusCode)
    const headers = typeof reason === 'string' ? given : (reason as typeof given)
    if (typeof reason === 'string') this.statusMessage = reason
    this.statusCode = statusCode
    this.#headers.setAll(toEntries(headers))
    this.#isHeadWritten = true
    return this
  }

  /** Sends the head before there is anything of the body. */
  flushHeaders(): void {
    this.#stream()
  }

  // What a `Response` has no room for.

  addTrailers(): void {}

  writeContinue(): void {}

  writeProcessing(): void {}

  writeEarlyHints(_hints: object, callback?: () => void): void {
    callback?.()
  }

  /** The connection's time is the platform's: the callback never runs. */
  setTimeout(): this {
    return this
  }

  override end(callback?: Callback): this
  override end(chunk: unknown, callback?: Callback): this
  override end(chunk: unknown, encoding?: BufferEncoding | null, callback?: Callback): this
  override end(
    chunk?: unknown,
    encoding?: BufferEncoding | null | Callback,
    callback?: Callback,
  ): this {
    if (typeof chunk === 'function') return super.end(chunk as Callback)
    const done = typeof encoding === 'function' ? encoding : callback
    if (this.#isDelivered || this.destroyed || this.writableLength > 0 || !isChunk(chunk)) {
      return super.end(chunk, typeof encoding === 'string' ? encoding : 'utf8', done)
    }
    const isText = typeof chunk === 'string' && (!encoding || /^utf-?8$/i.test(encoding as string))
    this.#send(isText || typeof chunk !== 'string' ? chunk : Buffer.from(chunk, encoding as 'hex'))
    return super.end(done)
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: Callback): void {
    this.#stream()
    if (this.#body === undefined) done()
    else this.#body.write(chunk, done)
  }

  override _final(done: Callback): void {
    if (!this.#isDelivered) this.#send(null)
    if (this.#body === undefined) done()
    else this.#body.close(done)
  }

  override _destroy(error: Error | null, done: Callback): void {
    if (!this.writableFinished) {
      const failure = error ?? new Error('The response was destroyed before it was complete')
      if (!this.#isDelivered) this.#fail(failure)
      else this.#body?.fail(failure)
    }
    // As on Node: an error that nobody listens for is no failure of the process.
    done(this.listenerCount('error') === 0 ? null : error)
  }

  /** Sends the head, and makes what is written from now on the body. */
  #stream(): void {
    if (this.#isDelivered) return
    if (!this.#hasBody()) {
      this.#send(null)
      return
    }
    this.#body = createStreamedBody(this.#headers.get('content-length'), () => this.destroy())
    this.#send(this.#body.stream)
  }

  #send(body: Chunk | ReadableStream<Uint8Array> | null): void {
    this.#isHeadWritten = true
    const { statusCode: status } = this
    if (status < 200) {
      this.destroy(new RangeError(`A Response cannot have the status ${status}`))
      return
    }
    const headers = this.#headers.toHeaders()
    // A `Response` would give a text a content type of its own.
    const content =
      typeof body === 'string' && !headers.has('content-type') ? Buffer.from(body) : body
    this.statusMessage ??= reasonPhrases[status] ?? 'unknown'
    const init: ResponseInit & { encodeBody: 'manual' } = {
      status,
      statusText: this.statusMessage,
      headers,
      // Unless told so, workerd itself encodes the body as the headers say it is.
      encodeBody: 'manual',
    }
    let response: Response
    try {
      response = new Response(this.#hasBody() ? (content as BodyInit) : null, init)
    } catch (error) {
      // Node writes reason phrases and statuses that a `Response` cannot have.
      this.destroy(error as Error)
      return
    }
    this.#isDelivered = true
    this.#deliver(response)
  }

  #hasBody(): boolean {
    return this.req.method !== 'HEAD' && !WITHOUT_BODY.has(this.statusCode)
  }

  #assertHeadIsOpen(verb: string): void {
    if (!this.#isHeadWritten) return
    throw Object.assign(new Error(`Cannot ${verb} headers after they are sent to the client`), {
      code: 'ERR_HTTP_HEADERS_SENT',
    })
  }
}

function assertStatus(status: number): void {
  if ((status | 0) >= 100 && (status | 0) <= 999) return
  throw Object.assign(new RangeError(`Invalid status code: ${status}`), {
    code: 'ERR_HTTP_INVALID_STATUS_CODE',
  })
}

function isChunk(value: unknown): value is Chunk {
  return typeof value === 'string' || value instanceof Uint8Array
}

/** An object, pairs, or names and values in turn. */
function toEntries(
  headers: Record<string, Value> | readonly unknown[] | undefined,
): [string, Value][] {
  if (headers === undefined || headers === null) return []
  if (!Array.isArray(headers)) return Object.entries(headers as Record<string, Value>)
  if (Array.isArray(headers[0])) return headers as [string, Value][]
  return headers.flatMap((name, i) =>
    i % 2 === 0 ? [[name, headers[i + 1]] as [string, Value]] : [],
  )
}
