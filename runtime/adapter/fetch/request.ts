import { HostedConnection } from '../hosted/connection.ts'
import { HostedRequest, type IncomingBody, type IncomingHeaders } from '../hosted/request.ts'
import type { AcceptSocket } from './upgrade.ts'
import { isImpossibleHost, targetOfServer, targetOfUrl } from '../hosted/target.ts'

type ByteStream = ReadableStream<Uint8Array>

export interface FetchSettings {
  readonly clientAddress?:
    | ((request: Request, ...more: unknown[]) => string | null | undefined)
    | undefined
  /**
   * True to read the client's address before the answer only if something may use it later. For servers where reading takes long,
   * or is still possible afterwards.
   */
  readonly readsAddressLate?: boolean
  /** True if the server itself writes the length of text and bytes. */
  readonly writesLength?: boolean
  /** The connection uses TLS. By default the URL decides, which contains what the client writes if the server knows no better. */
  readonly isEncrypted?: boolean
  /** True if the URL is a target in absolute form where a client sent one. By default it's one that a server made of the path. */
  readonly keepsAbsoluteForm?: boolean
  /** True if no body is longer than its `content-length`, because the server cuts it off. Others are counted while they are read. */
  readonly limitsLength?: boolean
  /** Accepts upgrades to WebSocket. By default the platform's own function, if it has one. */
  readonly acceptSocket?: AcceptSocket
  /** Called once the answer is whole: before a `Response` with text or bytes, and at the end of a stream. */
  readonly onWhole?: (request: Request, ...more: unknown[]) => void
}

/** Headers that `createHeaders` adds or changes. */
const CHANGED = new Set(['host', 'set-cookie', 'transfer-encoding'])

/** The `request.raw` of requests that come from `fetch`. */
export class FetchRequest extends HostedRequest {
  /** The request, and platform values such as bindings. */
  readonly fetchArguments: readonly [Request, ...unknown[]]
  readonly settings: FetchSettings
  /** True if the host isn't one: then nobody knows which part of the URL is the path. */
  readonly isMalformed: boolean
  private readonly href: string
  /** The value of `content-length`, `null` without one. `undefined` for GET and HEAD. */
  private readonly length: string | null | undefined = undefined
  private readonly fetchHeaders: Headers
  /** `null` without a body. `undefined` until it's needed: reading `request.body` makes Bun create a stream. */
  private stream: ByteStream | null | undefined = undefined
  /** `undefined` as long as it isn't used. */
  private address: string | null | undefined = undefined
  private isWatched = false

  constructor(args: readonly [Request, ...unknown[]], settings: FetchSettings) {
    const [request] = args
    const { method, url, headers } = request
    // Bun and Deno keep the headers readable after the answer only if one was read before.
    const host = headers.get('host')
    super(method, settings.keepsAbsoluteForm ? targetOfServer(url, host) : targetOfUrl(url))
    this.fetchArguments = args
    this.href = url
    this.settings = settings
    this.fetchHeaders = headers
    this.isMalformed = isImpossibleHost(host)
    if (method === 'GET' || method === 'HEAD') return
    this.length = headers.get('content-length')
    // Without a length, the body decides about `transfer-encoding`.
    if (this.length === null) this.stream = request.body as ByteStream | null | undefined
  }

  /** Reads the whole body where `Request` has no `body`, as in Firefox. */
  async prepare(): Promise<void> {
    const bytes = await this.fetchArguments[0].arrayBuffer()
    this.stream = bytes.byteLength === 0 ? null : (new Response(bytes).body as ByteStream)
  }

  /** True if `prepare` has to be called. */
  get isUnprepared(): boolean {
    return this.length === null && this.stream === undefined
  }

  override get aborted(): boolean {
    if (this.isAborted || this.isAnswered || this.complete) return this.isAborted
    return this.fetchArguments[0].signal?.aborted === true
  }

  /** Called when the platform no longer knows the client's address. */
  forgetAddress(): void {
    this.address ??= null
  }

  override settle(isWhole: boolean, hasEndListener: boolean): void {
    if (hasEndListener || !isWhole || this.isAwake || !this.settings.readsAddressLate)
      this.findAddress()
    super.settle(isWhole, hasEndListener)
  }

  override watch(): void {
    if (this.isWatched || this.isAnswered) return
    this.isWatched = true
    const { signal } = this.fetchArguments[0]
    if (signal?.aborted) {
      this.isDisconnected = true
      process.nextTick(() => this.disconnect())
    } else signal?.addEventListener('abort', () => this.disconnect())
  }

  /** A body of unknown length gets `transfer-encoding`, by which the lifecycle recognizes it. */
  protected override createHeaders(): IncomingHeaders {
    const headers = toNodeHeaders(this.fetchHeaders)
    if (this.length === null && this.stream) headers['transfer-encoding'] ??= 'chunked'
    const [, host] = /^[^/]+:\/\/([^/?#]*)/.exec(this.href) ?? []
    if (host !== undefined) headers['host'] ??= host
    return headers
  }

  protected override readHeader(name: string): string | undefined {
    if (CHANGED.has(name)) return this.headers[name] as string | undefined
    return this.fetchHeaders.get(name) ?? undefined
  }

  protected override createSocket(end: (error?: Error) => void): HostedConnection {
    const { isEncrypted = this.href.startsWith('https:') } = this.settings
    return new HostedConnection(this.findAddress(), isEncrypted, end)
  }

  protected override createBody(): IncomingBody | null {
    this.stream ??= this.fetchArguments[0].body as ByteStream | null
    return this.stream && new RequestBody(this.stream, this.headers['content-length'])
  }

  protected override readBody(asString: boolean): PromiseLike<string | Buffer> | undefined {
    if (this.stream !== undefined) return undefined
    const [request] = this.fetchArguments
    if (this.settings.limitsLength !== true && request.body) {
      const bytes = readLimited(request.body as ByteStream, Number(this.length))
      return asString ? bytes.then(String) : bytes
    }
    if (!asString) return request.arrayBuffer().then((bytes) => Buffer.from(bytes))
    // `text` omits a byte order mark, of three bytes.
    const lengthWithoutMark = Number(this.readHeader('content-length')) - 3
    return request
      .text()
      .then((text) => (Buffer.byteLength(text) === lengthWithoutMark ? `\ufeff${text}` : text))
  }

  private findAddress(): string | undefined {
    if (this.address === undefined) {
      const { clientAddress } = this.settings
      this.address = clientAddress?.(...this.fetchArguments) || null
    }
    return this.address ?? undefined
  }
}

class RequestBody implements IncomingBody {
  readonly #stream: ByteStream
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  /** The number of bytes that are still expected. */
  #left: number
  #isWhole = false

  /** @param length the value of `content-length` */
  constructor(stream: ByteStream, length: unknown) {
    this.#stream = stream
    this.#left = length === undefined ? Infinity : Number(length)
  }

  pull(deliver: (chunk: Buffer | null) => void, fail: (error: Error) => void): void {
    const reader = (this.#reader ??=
      this.#stream.getReader() as ReadableStreamDefaultReader<Uint8Array>)
    reader.read().then(({ done, value }) => {
      if (done) return deliver(null)
      deliver(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
      this.#left -= value.byteLength
      if (!(this.#left <= 0)) return
      // As in Node, the body ends with its last byte. Code that reads a body and then destroys the request must not abort it.
      this.#isWhole = true
      deliver(null)
      // Without another read, workerd waits for the end of the stream.
      const rest = this.#left < 0 ? reader.cancel() : reader.read()
      rest.catch(noop)
    }, fail)
  }

  cancel(): void {
    if (this.#isWhole) return
    if (this.#reader !== undefined) this.#reader.cancel().catch(noop)
    else if (!this.#stream.locked) this.#stream.cancel().catch(noop)
  }
}

/** Reads a body until it is longer than it should be: the lifecycle refuses it then. */
async function readLimited(stream: ByteStream, length: number): Promise<Buffer> {
  const reader = stream.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const chunks: Uint8Array[] = []
  let left = length
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    left -= value.byteLength
    if (left >= 0) continue
    reader.cancel().catch(noop)
    break
  }
  return Buffer.concat(chunks)
}

/** Converts headers to the format of `node:http`. */
function toNodeHeaders(given: Headers): IncomingHeaders {
  const headers: IncomingHeaders = {}
  given.forEach((value, name) => {
    if (name !== 'set-cookie') headers[name] = value
    else headers[name] = given.getSetCookie()
  })
  return headers
}

function noop(): void {}
