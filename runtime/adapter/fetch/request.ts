import { HostedRequest, type IncomingBody, type IncomingHead } from '../hosted/request.ts'

/** What is known of a call besides the request. */
export interface FetchCall {
  readonly request: Request
  /** `null` when there is none. */
  readonly body: ReadableStream<Uint8Array> | null
  /** All that the platform called with: the request, then what else it gives, such as bindings. */
  readonly args: readonly unknown[]
  readonly remoteAddress: string | undefined
}

/** A `Request` with the interface of node:http's: what `request.raw` is when the application is called by `fetch`. */
export class FetchRequest extends HostedRequest {
  /** What the platform called with. */
  readonly call: FetchCall

  constructor(call: FetchCall) {
    const { body } = call
    const head = toHead(call)
    super(head, body === null ? null : new RequestBody(body, head.headers['content-length']))
    this.call = call
  }
}

/** All of a body, as a stream, where a `Request` does not give the stream that it comes in: so in Firefox. */
export async function wholeBodyOf(request: Request): Promise<ReadableStream<Uint8Array> | null> {
  const bytes = await request.arrayBuffer()
  return bytes.byteLength === 0 ? null : (new Response(bytes).body as ReadableStream<Uint8Array>)
}

function toHead({ request, body, remoteAddress }: FetchCall): IncomingHead {
  const { method, url } = request
  // An absolute URL; what stands before the path cannot hold a slash.
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('#', start)
  const headers = toNodeHeaders(request.headers, body !== null)
  headers['host'] ??= url.slice(url.indexOf('//') + 2, start)
  return {
    method,
    url: url.slice(start, end === -1 ? undefined : end),
    headers,
    remoteAddress,
    isEncrypted: url.startsWith('https:'),
  }
}

class RequestBody implements IncomingBody {
  readonly #stream: ReadableStream<Uint8Array>
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  /** Bytes that are to come. */
  #left: number
  #isWhole = false

  /** @param length what the headers announce */
  constructor(stream: ReadableStream<Uint8Array>, length: unknown) {
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
      if (this.#left !== 0) return
      // It ends with its last byte, as on Node, and not when the stream tells of its end: what destroys a request that it has
      // read does not end the exchange.
      this.#isWhole = true
      deliver(null)
      reader.read().catch(noop)
    }, fail)
  }

  /** What the client still sends is of no use to anybody; that it cannot be told so changes nothing. */
  cancel(): void {
    if (this.#isWhole) return
    if (this.#reader !== undefined) this.#reader.cancel().catch(noop)
    else if (!this.#stream.locked) this.#stream.cancel().catch(noop)
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
