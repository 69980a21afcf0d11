import { type Incoming, kIncoming } from '../../serve/exchange.ts'
import type { HostedConnection } from './connection.ts'
import { LateReadable } from './late-streams.ts'

/** By name in lower case. */
export type IncomingHeaders = Record<string, string | string[]>

/** The source of a body. */
export interface IncomingBody {
  /** Calls `deliver` with the next bytes, with `null` once they were the last ones, or calls `fail`. */
  pull(deliver: (chunk: Buffer | null) => void, fail: (error: Error) => void): void
  /** Called when the rest won't be read. */
  cancel(): void
}

type WholeBody = string | Buffer

/** The state of a stream that has emitted all its events. */
const CLOSED = { ended: true, endEmitted: true, destroyed: true, closed: true, closeEmitted: true }

/**
 * The `request.raw` of platforms without sockets, with the interface of `IncomingMessage`.
 *
 * Parts of the platform's request are read on first use. Those that may be used after the answer are read before it at the latest,
 * because some platforms forget a request that was answered. There are no `#private` fields: @fastify/express can wrap the object in a `Proxy`.
 */
export abstract class HostedRequest extends LateReadable {
  declare httpVersion: string
  declare httpVersionMajor: number
  declare httpVersionMinor: number
  method: string
  /** Path and query. */
  url: string
  /** True once the whole body was received or discarded. */
  complete = false
  /** Destroyed if the client disconnects, or if this request is destroyed before it was read. */
  response: { destroy(): unknown } | undefined = undefined
  protected isAborted = false
  /** True if the client disconnected before the answer was complete. */
  isDisconnected = false
  /** True once the answer is complete. */
  protected isAnswered = false
  /** True if the body was read at once, without the stream. */
  private isRead = false
  private cachedHeaders: IncomingHeaders | undefined = undefined
  private cachedSocket: HostedConnection | undefined = undefined
  private cachedBody: IncomingBody | null | undefined = undefined

  constructor(method: string, url: string) {
    super()
    this.method = method
    this.url = url
  }

  protected abstract createHeaders(): IncomingHeaders
  /** Returns the value that the header has in `createHeaders()`. */
  protected abstract readHeader(name: string): string | undefined
  protected abstract createSocket(end: (error?: Error) => void): HostedConnection
  /** Returns `null` if there is no body. */
  protected abstract createBody(): IncomingBody | null
  /** Reads the body at once. Returns `undefined` if only `createBody` can read it. */
  protected abstract readBody(asString: boolean): WholeBody | PromiseLike<WholeBody> | undefined
  /** Called when somebody listens to the request or its response. From now on, it's destroyed if the client disconnects. */
  abstract watch(): void

  get headers(): IncomingHeaders {
    return (this.cachedHeaders ??= this.createHeaders())
  }

  set headers(headers: IncomingHeaders) {
    this.cachedHeaders = headers
  }

  /** Alternating names and values. In lower case if the platform doesn't keep the original. */
  get rawHeaders(): readonly string[] {
    return Object.entries(this.headers).flatMap(([name, value]) =>
      Array.isArray(value) ? value.flatMap((one) => [name, one]) : [name, value],
    )
  }

  get socket(): HostedConnection {
    return (this.cachedSocket ??= this.createSocket((error) => void this.destroy(error)))
  }

  get connection(): HostedConnection {
    return this.socket
  }

  /** True if the client disconnected or the request was destroyed before it was read. */
  get aborted(): boolean {
    return this.isAborted
  }

  get trailers(): object {
    return {}
  }

  get rawTrailers(): readonly string[] {
    return []
  }

  /**
   * Called before the answer is given to the platform.
   *
   * @param isWhole false if the answer is a stream, during which the body can still be read
   * @param hasEndListener true if `onResponse` hooks or the log run afterwards
   */
  settle(isWhole: boolean, _hasEndListener: boolean): void {
    if (isWhole) this.isAnswered = true
    else this.openBody()
  }

  /** Ends the request after the response was sent, without setting `aborted`. */
  dump(): void {
    this.isAnswered = true
    this.complete = true
    if (!this.isAwake || this.destroyed || this.readableEnded) return
    if (this.openBody() === null) this.resume()
    else this.destroy()
  }

  /** Does nothing, because the platform manages timeouts. */
  setTimeout(): this {
    return this
  }

  override onWake(): void {
    // As in Node: an error without listeners doesn't end the process.
    this.on('error', noop)
    if (this.isRead) Object.assign(Reflect.get(this, '_readableState') as object, CLOSED)
    else if (this.isAnswered) this.dump()
    this.watch()
  }

  override _read(): void {
    const body = this.openBody()
    if (body === null) this.deliver(null)
    else {
      body.pull(
        (chunk) => this.deliver(chunk),
        (error) => void this.destroy(error),
      )
    }
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.complete) this.abort()
    this.cachedBody?.cancel()
    process.nextTick(done, error)
  }

  /** Called when the client has disconnected. */
  protected disconnect(): void {
    if (this.isAnswered) return
    this.isDisconnected = true
    if (this.complete) this.response?.destroy()
    else this.destroy()
    this.cachedSocket?.destroy()
  }

  private abort(): void {
    this.isAborted = true
    this.response?.destroy()
    this.emit('aborted')
  }

  private deliver(chunk: Buffer | null): void {
    if (chunk === null) this.complete = true
    this.push(chunk)
  }

  private openBody(): IncomingBody | null {
    if (this.cachedBody === undefined) {
      this.cachedBody = this.isAnswered || this.isRead ? null : this.createBody()
    }
    return this.cachedBody
  }

  private static readonly incoming: Incoming = {
    header(raw, name) {
      const request = raw as unknown as HostedRequest
      const { cachedHeaders } = request
      return cachedHeaders === undefined
        ? request.readHeader(name)
        : (cachedHeaders[name] as string | undefined)
    },
    readWhole(raw, asString, onBody, onError) {
      const request = raw as unknown as HostedRequest
      if (request.isAwake || request.isRead) return false
      const body = request.readBody(asString)
      if (body === undefined) return false
      request.isRead = true
      const take = (whole: WholeBody): void => {
        request.complete = true
        onBody(whole)
      }
      // Bodies always come later: who has called may still fail.
      if (typeof body === 'string' || Buffer.isBuffer(body)) process.nextTick(take, body)
      else {
        body.then(take, (error) => {
          request.abort()
          onError(error as Error)
        })
      }
      return true
    },
    readChunks: () => false,
    isCutOff(raw) {
      const { isDisconnected, cachedSocket } = raw as unknown as HostedRequest
      return isDisconnected || cachedSocket?.destroyed === true
    },
  }

  static {
    const version = { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 }
    Object.assign(this.prototype, version, { [kIncoming]: this.incoming })
  }
}

function noop(): void {}
