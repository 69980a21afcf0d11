import type { Readable } from 'node:stream'
import { reasonPhrases } from '../../errors/reason-phrases.ts'
import { streams } from '../../platform/index.ts'
import { kOutgoing, nodeOutgoing, type Outgoing } from '../../serve/exchange.ts'
import type { HostedConnection } from './connection.ts'
import {
  assertHeader,
  assertStatusMessage,
  type HeaderRecord,
  toEntries,
  type Value,
} from './headers.ts'
import { LateWritable } from './late-streams.ts'
import type { HostedRequest } from './request.ts'
import { type Chunk, type Done, isReadable, passOn, type StreamedBody } from './streamed-body.ts'

/** Statuses of responses without body. */
const WITHOUT_BODY = new Set([204, 304])

/**
 * The `reply.raw` of platforms without sockets, with the interface of `ServerResponse`. A response that is ended with its whole body is
 * sent at once, all others as streams.
 */
export abstract class HostedResponse<Answer = never> extends LateWritable {
  statusCode = 200
  statusMessage: string | undefined = undefined
  sendDate = true
  readonly req: HostedRequest
  /** Headers of this object, or the complete ones that the lifecycle has written. */
  private table: HeaderRecord | undefined = undefined
  private isHeadWritten = false
  private isDelivered = false
  /** True if the response was ended before the stream's constructor ran. */
  private isEnded = false
  private body: StreamedBody | undefined = undefined
  /** Listens to the end of this response. Set while it takes a stream without being one itself. */
  private watch: (() => void) | undefined = undefined
  private endListener: ((error?: unknown) => void) | undefined = undefined

  /** `req`, or `undefined` if that isn't a `HostedRequest`, as with `inject`. */
  private readonly incoming: HostedRequest | undefined
  protected readonly resolve: (answer: Answer) => void
  protected readonly reject: (error: Error) => void

  /** One of `resolve` and `reject` is called. */
  constructor(
    request: HostedRequest,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
    isHosted = true,
  ) {
    super()
    this.req = request
    this.resolve = resolve
    this.reject = reject
    this.incoming = isHosted ? request : undefined
    if (isHosted) request.response = this
  }

  /**
   * Sends a complete response.
   *
   * @param body `null` if the response has no body
   * @throws if the platform rejects it
   */
  protected abstract deliver(headers: HeaderRecord, body: Chunk | null): void

  /** Sends the head, and returns the body to write to. @throws if the platform rejects it */
  protected abstract deliverStream(headers: HeaderRecord): StreamedBody

  get finished(): boolean {
    return this.writableEnded
  }

  get headersSent(): boolean {
    return this.isHeadWritten
  }

  get socket(): HostedConnection {
    return this.req.socket
  }

  get connection(): HostedConnection {
    return this.req.socket
  }

  /** @throws ERR_HTTP_HEADERS_SENT, ERR_INVALID_HTTP_TOKEN, ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_CHAR */
  setHeader(name: string, value: Value): this {
    this.assertHeadIsOpen('set')
    this.setAll([[name, value]])
    return this
  }

  setHeaders(headers: Headers | ReadonlyMap<string, Value>): this {
    // `Headers` have an entry for each cookie.
    for (const [name, value] of toEntries([...headers])) this.setHeader(name, value)
    return this
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    this.assertHeadIsOpen('append')
    const present = this.getHeader(name)
    const values = present === undefined ? [] : Array.isArray(present) ? present : [String(present)]
    this.setAll([[name, [...values, ...[value].flat()]]])
    return this
  }

  getHeader(name: string): Value | undefined {
    return this.hasHeader(name) ? this.table?.[name.toLowerCase()] : undefined
  }

  getHeaders(): HeaderRecord {
    return Object.assign(Object.create(null), this.table) as HeaderRecord
  }

  getHeaderNames(): string[] {
    return Object.keys(this.table ?? {})
  }

  /** In lower case. */
  getRawHeaderNames(): string[] {
    return this.getHeaderNames()
  }

  hasHeader(name: string): boolean {
    return this.table !== undefined && Object.hasOwn(this.table, name.toLowerCase())
  }

  removeHeader(name: string): void {
    this.assertHeadIsOpen('remove')
    delete this.table?.[name.toLowerCase()]
  }

  /** Sets status and headers. They are sent with the first chunk of the body. */
  writeHead(
    statusCode: number,
    reason?: string | object,
    given?: Record<string, Value> | readonly unknown[],
  ): this {
    this.assertHeadIsOpen('write')
    assertStatus(statusCode)
    const headers = typeof reason === 'string' ? given : (given ?? (reason as typeof given))
    if (typeof reason === 'string') this.statusMessage = reason
    this.statusCode = statusCode
    this.setAll(toEntries(headers))
    assertStatusMessage(this.statusMessage)
    this.isHeadWritten = true
    return this
  }

  /** Sends the head before the body. */
  flushHeaders(): void {
    this.startStream()
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

  override write(chunk: unknown, callback?: Done): boolean
  override write(chunk: unknown, encoding?: BufferEncoding, callback?: Done): boolean
  override write(chunk: unknown, encoding?: BufferEncoding | Done, callback?: Done): boolean {
    if (this.writableEnded) {
      this.failAfterEnd(typeof encoding === 'function' ? encoding : callback)
      return false
    }
    // Here, because a stream whose `_write` throws never ends.
    if (!this.isHeadWritten) assertStatusMessage(this.statusMessage)
    return super.write(chunk, encoding as BufferEncoding, callback)
  }

  override end(callback?: Done): this
  override end(chunk: unknown, callback?: Done): this
  override end(chunk: unknown, encoding?: BufferEncoding | null, callback?: Done): this
  override end(chunk?: unknown, encoding?: BufferEncoding | null | Done, callback?: Done): this {
    if (typeof chunk === 'function') return this.end(undefined, chunk as Done)
    const done = typeof encoding === 'function' ? encoding : callback
    if (this.watch !== undefined) this.wake()
    if (this.writableEnded && chunk !== undefined && chunk !== null) {
      this.failAfterEnd(done)
      return this
    }
    const isWhole = chunk === undefined || chunk === null || isChunk(chunk)
    if (
      !isWhole ||
      this.isDelivered ||
      (this.isAwake && (this.destroyed || this.writableLength > 0))
    ) {
      return super.end(chunk, typeof encoding === 'string' ? encoding : 'utf8', done)
    }
    const isText = typeof chunk === 'string' && (!encoding || /^utf-?8$/i.test(encoding as string))
    const body = isText || typeof chunk !== 'string' ? chunk : Buffer.from(chunk, encoding as 'hex')
    this.send(body ?? null)
    if (this.isAwake) return super.end(done)
    this.isEnded = true
    this.finish()
    if (done !== undefined) process.nextTick(done)
    return this
  }

  /** Does what follows the end, without events. */
  private finish(): void {
    const { endListener, incoming } = this
    this.endListener = undefined
    if (endListener !== undefined) process.nextTick(endListener)
    if (incoming?.isAwake) process.nextTick(() => incoming.dump())
    else incoming?.dump()
  }

  /** Takes a stream without the buffer and the events of this one, which cost more than all else. */
  private take(stream: Readable, watch: () => void): void {
    this.watch = watch
    this.incoming?.watch()
    const write = (chunk: Uint8Array, done: Done): void => {
      if (this.isAwake && this.destroyed) return
      this._write(chunk, 'utf8', (error) => (error ? this.destroy(error) : done()))
    }
    passOn(stream, write, () => this.endTaken())
  }

  private endTaken(): void {
    if (this.isAwake) return void super.end()
    const { body } = this
    this.watch = this.body = undefined
    if (body === undefined) return void this.end()
    this.isEnded = true
    body.close((error) => (error ? this.destroy(error) : this.finish()))
  }

  override onWake(): void {
    const { endListener, incoming, watch } = this
    this.endListener = this.watch = undefined
    // As in Node: an error without listeners doesn't end the process.
    this.on('error', noop)
    if (incoming !== undefined) {
      this.once('close', () => (this.writableFinished ? incoming.dump() : incoming.destroy()))
      incoming.watch()
    }
    watch?.()
    if (endListener !== undefined) nodeOutgoing.onEnd(this as never, endListener)
    if (this.isEnded) super.end()
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: Done): void {
    this.startStream()
    if (this.body === undefined) done()
    else this.body.write(chunk, done)
  }

  override _final(done: Done): void {
    if (!this.isDelivered) this.send(null)
    if (this.body === undefined) done()
    else this.body.close(done)
  }

  override _destroy(error: Error | null, done: Done): void {
    if (!this.writableFinished) {
      const failure = error ?? new Error('The response was destroyed before it was complete')
      // As Node's error of a client that has left.
      if (error === null && this.incoming?.isDisconnected === true)
        Object.assign(failure, { code: 'ECONNRESET' })
      if (!this.isDelivered) this.reject(failure)
      else this.body?.fail(failure)
    }
    done(error)
  }

  /** Reports an error without destroying the response, whose end may still be on its way. */
  private failAfterEnd(done: Done | undefined): void {
    const error = withCode('ERR_STREAM_WRITE_AFTER_END', new Error('write after end'))
    process.nextTick(() => {
      done?.(error)
      if (this.isAwake) this.emit('error', error)
    })
  }

  /** Sets all headers, or none if one is invalid. */
  private setAll(headers: readonly (readonly [string, Value])[]): void {
    for (const [name, value] of headers) assertHeader(name, value)
    const table = (this.table ??= Object.create(null) as HeaderRecord)
    for (const [name, value] of headers) table[name.toLowerCase()] = value
  }

  private send(body: Chunk | null): void {
    this.start(true, (headers) => this.deliver(headers, this.hasBody() ? body : null))
  }

  /** Sends the head, and streams the body from now on. */
  private startStream(): void {
    if (this.isDelivered) return
    if (!this.hasBody()) return this.send(null)
    this.start(false, (headers) => {
      this.body = this.deliverStream(headers)
    })
  }

  private start(isWhole: boolean, deliver: (headers: HeaderRecord) => void): void {
    if (!this.isHeadWritten) assertStatusMessage(this.statusMessage)
    this.isHeadWritten = true
    const { statusCode } = this
    this.statusMessage ||= reasonPhrases[statusCode] ?? 'unknown'
    this.incoming?.settle(isWhole, this.endListener !== undefined)
    try {
      if (!this.isFinal()) throw new RangeError(`An answer cannot have the status ${statusCode}`)
      deliver(this.table ?? {})
      this.isDelivered = true
    } catch (error) {
      // The platform may reject a response that Node would send.
      this.destroy(error as Error)
    }
  }

  /** Returns whether the status ends the exchange. */
  protected isFinal(): boolean {
    return this.statusCode >= 200
  }

  protected hasBody(): boolean {
    return this.req.method !== 'HEAD' && !WITHOUT_BODY.has(this.statusCode)
  }

  private assertHeadIsOpen(verb: string): void {
    if (!this.isHeadWritten) return
    const message = `Cannot ${verb} headers after they are sent to the client`
    throw withCode('ERR_HTTP_HEADERS_SENT', new Error(message))
  }

  private static readonly outgoing: Outgoing = {
    ...nodeOutgoing,
    writeHead(raw, headers) {
      const response = raw as unknown as HostedResponse
      const { writeHead } = HostedResponse.prototype
      if (response.table !== undefined || response.writeHead !== writeHead) {
        return nodeOutgoing.writeHead(raw, headers)
      }
      response.assertHeadIsOpen('write')
      assertStatus(response.statusCode)
      assertStatusMessage(response.statusMessage)
      for (const name of Object.keys(headers)) assertHeader(name, headers[name])
      response.table = headers
      response.isHeadWritten = true
      return false
    },
    pipe(raw, stream, watch) {
      const response = raw as unknown as HostedResponse
      // Functions that were replaced have to be called.
      const isReplaced = Object.hasOwn(raw, 'write') || Object.hasOwn(raw, 'end')
      if (isReplaced || response.isAwake || !response.hasBody() || !isReadable(stream))
        nodeOutgoing.pipe(raw, stream, watch)
      else response.take(stream, watch)
    },
    onEnd(raw, listener) {
      const response = raw as unknown as HostedResponse
      if (response.isAwake) nodeOutgoing.onEnd(raw, listener)
      else response.endListener = listener
    },
  }

  static {
    const { prototype } = streams().Writable
    Object.defineProperty(this.prototype, 'writableEnded', {
      configurable: true,
      get(this: HostedResponse): unknown {
        return this.isAwake ? Reflect.get(prototype, 'writableEnded', this) : this.isEnded
      },
    })
    Object.assign(this.prototype, { [kOutgoing]: this.outgoing })
  }
}

function assertStatus(status: number): void {
  if ((status | 0) >= 100 && (status | 0) <= 999) return
  throw withCode('ERR_HTTP_INVALID_STATUS_CODE', new RangeError(`Invalid status code: ${status}`))
}

function withCode(code: string, error: Error): Error {
  return Object.assign(error, { code })
}

function noop(): void {}

function isChunk(value: unknown): value is Chunk {
  return typeof value === 'string' || value instanceof Uint8Array
}
