import type * as Stream from 'node:stream'
import { reasonPhrases } from '../../errors/reason-phrases.ts'
import { streams } from '../../platform/index.ts'
import type { HostedConnection } from './connection.ts'
import type { Chunk, Delivery, Done, Head, StreamedBody } from './delivery.ts'
import { OutgoingHeaders, type Value } from './headers.ts'
import type { HostedRequest } from './request.ts'

const Writable: typeof Stream.Writable = streams().Writable

/** Statuses of responses without body. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * The `reply.raw` of platforms without sockets, with the interface of `ServerResponse`. A response that is ended with its whole body is
 * sent at once, all others as streams.
 */
export class HostedResponse extends Writable {
  statusCode = 200
  statusMessage: string | undefined
  sendDate = true
  readonly req: HostedRequest
  readonly #headers = new OutgoingHeaders()
  readonly #delivery: Delivery
  #isHeadWritten = false
  #isDelivered = false
  #body: StreamedBody | undefined

  constructor(request: HostedRequest, delivery: Delivery) {
    super()
    this.req = request
    this.#delivery = delivery
  }

  get headersSent(): boolean {
    return this.#isHeadWritten
  }

  get finished(): boolean {
    return this.writableEnded
  }

  get socket(): HostedConnection {
    return this.req.socket
  }

  get connection(): HostedConnection {
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

  /** Sets status and headers. They are sent with the first chunk of the body. */
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

  /** Sends the head before the body. */
  flushHeaders(): void {
    this.#stream()
  }

  // The platforms don't support these.

  addTrailers(): void {}

  writeContinue(): void {}

  writeProcessing(): void {}

  writeEarlyHints(_hints: object, callback?: () => void): void {
    callback?.()
  }

  /** Does nothing, because the platform manages timeouts. */
  setTimeout(): this {
    return this
  }

  override end(callback?: Done): this
  override end(chunk: unknown, callback?: Done): this
  override end(chunk: unknown, encoding?: BufferEncoding | null, callback?: Done): this
  override end(chunk?: unknown, encoding?: BufferEncoding | null | Done, callback?: Done): this {
    if (typeof chunk === 'function') return super.end(chunk as Done)
    const done = typeof encoding === 'function' ? encoding : callback
    if (this.#isDelivered || this.destroyed || this.writableLength > 0 || !isChunk(chunk)) {
      return super.end(chunk, typeof encoding === 'string' ? encoding : 'utf8', done)
    }
    const isText = typeof chunk === 'string' && (!encoding || /^utf-?8$/i.test(encoding as string))
    this.#send(isText || typeof chunk !== 'string' ? chunk : Buffer.from(chunk, encoding as 'hex'))
    return super.end(done)
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: Done): void {
    this.#stream()
    if (this.#body === undefined) done()
    else this.#body.write(chunk, done)
  }

  override _final(done: Done): void {
    if (!this.#isDelivered) this.#send(null)
    if (this.#body === undefined) done()
    else this.#body.close(done)
  }

  override _destroy(error: Error | null, done: Done): void {
    if (!this.writableFinished) {
      const failure = error ?? new Error('The response was destroyed before it was complete')
      if (!this.#isDelivered) this.#delivery.fail(failure)
      else this.#body?.fail(failure)
    }
    // As in Node: an error without listeners doesn't end the process.
    done(this.listenerCount('error') === 0 ? null : error)
  }

  #send(body: Chunk | null): void {
    this.#deliver((head) => this.#delivery.whole(head, this.#hasBody() ? body : null))
  }

  /** Sends the head, and streams the body from now on. */
  #stream(): void {
    if (this.#isDelivered) return
    if (!this.#hasBody()) return this.#send(null)
    this.#deliver((head) => {
      this.#body = this.#delivery.stream(head, () => this.destroy())
    })
  }

  #deliver(deliver: (head: Head) => void): void {
    this.#isHeadWritten = true
    const { statusCode } = this
    this.statusMessage ??= reasonPhrases[statusCode] ?? 'unknown'
    try {
      if (statusCode < 200) throw new RangeError(`An answer cannot have the status ${statusCode}`)
      deliver({ statusCode, statusMessage: this.statusMessage, headers: this.#headers })
      this.#isDelivered = true
    } catch (error) {
      // The platform may reject a response that Node would send.
      this.destroy(error as Error)
    }
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

/** Headers may be an object, a list of pairs, or alternating names and values. */
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
