import { HostedRequest, type IncomingBody, type IncomingHead } from '../hosted/request.ts'

/** A call of `fetch`. */
export interface FetchCall {
  readonly request: Request
  /** `null` if there is none. */
  readonly body: ReadableStream<Uint8Array> | null
  /** All arguments: the request, and platform values such as bindings. */
  readonly args: readonly unknown[]
  readonly remoteAddress: string | undefined
}

/** The `request.raw` of requests that come from `fetch`. */
export class FetchRequest extends HostedRequest {
  readonly call: FetchCall

  constructor(call: FetchCall) {
    const { body } = call
    const head = toHead(call)
    super(head, body === null ? null : new RequestBody(body, head.headers['content-length']))
    this.call = call
  }
}

/** Reads the whole body where `Request` has no `body`, as in Firefox. */
export async function wholeBodyOf(request: Request): Promise<ReadableStream<Uint8Array> | null> {
  const bytes = await request.arrayBuffer()
  return bytes.byteLength === 0 ? null : (new Response(bytes).body as ReadableStream<Uint8Array>)
}

function toHead({ request, body, remoteAddress }: FetchCall): IncomingHead {
  const { method, url } = request
  // The URL is absolute. Its host can't contain a slash.
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
  /** The number of bytes that are still expected. */
  #left: number
  #isWhole = false

  /** @param length the value of `content-length` */
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
      // As in Node, the body ends with its last byte. Code that reads a body and then destroys the request must not abort it.
      this.#isWhole = true
      deliver(null)
      reader.read().catch(noop)
    }, fail)
  }

  cancel(): void {
    if (this.#isWhole) return
    if (this.#reader !== undefined) this.#reader.cancel().catch(noop)
    else if (!this.#stream.locked) this.#stream.cancel().catch(noop)
  }
}

/** Converts headers to the format of `node:http`. A body of unknown length gets `transfer-encoding`, by which the lifecycle recognizes it. */
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
