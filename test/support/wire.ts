/** A small HTTP/1.1 client that writes exact bytes, and returns answers as they are on the wire. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ParityRequest, RawStep } from './request.ts'

export interface Answer {
  readonly status: number
  readonly statusMessage: string
  /** In order, names and values as on the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Latin-1, so that every byte can be compared. */
  readonly body: string
  /** After the chunks, as on the wire. */
  readonly trailers?: string
}

/** Returns the bytes of a request, as latin-1. */
export function toBytes(
  request: ParityRequest,
  extra: readonly (readonly [string, string])[],
): string {
  const { method, target, headers = [], body = '' } = request
  const framing = request.framing ?? (request.body === undefined ? 'none' : 'length')
  const content = toLatin1(body)
  const lines = [...extra, ...headers].map(([name, value]) => `${name}: ${value}`)
  if (framing === 'length') lines.push(`content-length: ${content.length}`)
  if (framing === 'chunked') lines.push('transfer-encoding: chunked')
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  if (framing === 'none') return head
  return framing === 'length' ? head + content : head + toChunks(content)
}

/** Returns the bytes of a body, as latin-1. Text is encoded as UTF-8. */
export function toLatin1(body: string | Uint8Array): string {
  return Buffer.from(body as string).toString('latin1')
}

/** Splits a body into two chunks, so that it never arrives in one piece. */
function toChunks(content: string): string {
  const middle = content.length >> 1
  const chunks = [content.slice(0, middle), content.slice(middle), ''].filter(
    (chunk, index) => chunk !== '' || index === 2,
  )
  return chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
}

/** The connection ended before the first byte of an answer. */
export class NoAnswer extends Error {}

/** How long the next bytes may take on a busy machine, in ms. */
const TIMEOUT = 30_000

/** A connection that writes exact bytes and keeps everything that it receives. */
export class Wire {
  readonly socket: Socket
  received = ''
  isClosed = false
  #wake: (() => void) | undefined

  constructor(port: number, secure = false) {
    this.socket = secure
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(port, '127.0.0.1')
    this.socket
      .setEncoding('latin1')
      .setNoDelay()
      .setTimeout(TIMEOUT, () => this.destroy())
    this.socket.on('data', (text: string) => {
      this.received += text
      this.#wake?.()
    })
    // After a reset, `close` is emitted as well.
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.isClosed = true
      this.#wake?.()
    })
  }

  get isOpen(): boolean {
    return !this.isClosed && !this.socket.destroyed
  }

  write(...lines: readonly string[]): void {
    this.socket.write(lines.join('\r\n'), 'latin1')
  }

  get(path: string, ...headers: readonly string[]): void {
    this.write(`GET ${path} HTTP/1.1`, 'Host: a.test', ...headers, '', '')
  }

  /** Resolves with everything received, once it contains `pattern`. */
  async until(pattern: RegExp | string): Promise<string> {
    const isThere = (): boolean =>
      typeof pattern === 'string' ? this.received.includes(pattern) : pattern.test(this.received)
    while (!isThere()) {
      if (this.isClosed) throw new Error(`The connection was closed after ${this.received}`)
      await this.more()
    }
    return this.received
  }

  /** Resolves when more was received, or the connection is closed. */
  more(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }

  /** Resolves with everything received, when the server has closed the connection. */
  async end(): Promise<string> {
    if (!this.isClosed) await once(this.socket, 'close')
    return this.received
  }

  /**
   * Removes the next answer from `received`.
   *
   * @throws NoAnswer, or another error when the connection ends within the answer or it takes too long
   */
  async answer(method = 'GET'): Promise<Answer> {
    for (;;) {
      const found = takeAnswer(this.received, method, this.isClosed)
      if (found?.isCut === false) {
        this.received = found.rest
        if (headerOf(found.answer, 'connection') === 'close') this.destroy()
        return found.answer
      }
      if (this.isClosed && this.received === '') throw new NoAnswer('the connection ended')
      if (this.isClosed) throw new Error(`the answer ends after ${this.received.slice(0, 200)}`)
      await this.more()
    }
  }

  destroy(): void {
    this.socket.destroy()
  }
}

/** Gets a path on a new connection. Resolves with everything received until the server closes it. */
export function getRaw(port: number, path: string, ...headers: readonly string[]): Promise<string> {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: a.test', 'Connection: close', ...headers]
  return exchange(port, ...lines, '', '')
}

/** Writes lines on a new connection. Resolves with everything received until the server closes it. */
export function exchange(port: number, ...lines: readonly string[]): Promise<string> {
  return sendRaw(port, lines.join('\r\n'))
}

/** Writes bytes on a new connection, then each step when the text before it was received. Resolves with everything received. */
export async function sendRaw(
  port: number,
  bytes: string,
  steps: readonly RawStep[] = [],
): Promise<string> {
  const wire = new Wire(port)
  wire.write(bytes)
  let seen = 0
  for (const { after, raw } of steps) {
    while (!wire.isClosed && !wire.received.includes(after, seen)) await wire.more()
    seen = wire.received.indexOf(after, seen) + after.length
    wire.write(raw)
  }
  return wire.end()
}

/** A connection that is opened again whenever the server has closed it. It sends one request at a time. */
export class Connection {
  readonly #port: number
  #wire: Wire | undefined

  constructor(port: number) {
    this.#port = port
  }

  send(bytes: string, method: string): Promise<Answer> {
    if (this.#wire?.isOpen !== true) this.#wire = new Wire(this.#port)
    this.#wire.received = ''
    this.#wire.write(bytes)
    return this.#wire.answer(method)
  }

  close(): void {
    this.#wire?.destroy()
  }
}

/** Returns the first header with this name, which is in lower case. */
export function headerOf({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1]
}

/** Returns the first answer in `received`, once it is complete or the connection has ended, and the rest. Skips interim answers. */
export function takeAnswer(
  received: string,
  method: string,
  ended: boolean,
): { readonly answer: Answer; readonly rest: string; readonly isCut: boolean } | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = received.slice(0, headEnd).split('\r\n')
  const [, code = '', statusMessage = ''] = /^HTTP\/1\.[01] (\d{3}) ?(.*)$/.exec(statusLine) ?? []
  const status = Number(code)
  const content = received.slice(headEnd + 4)
  if (status >= 100 && status < 200) return takeAnswer(content, method, ended)

  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const { length, ...body } = hasBody ? takeBody(content, { headers }) : { body: '', length: 0 }
  const isToEnd = length === Infinity
  if (length > content.length && !ended) return undefined
  return {
    answer: { status, statusMessage, headers, ...body },
    rest: content.slice(length),
    isCut: length > content.length && !isToEnd,
  }
}

interface Body {
  readonly body: string
  readonly trailers?: string
  /** Its length on the wire: more than was received if it's incomplete, `Infinity` if it lasts until the connection ends. */
  readonly length: number
}

function takeBody(content: string, head: Pick<Answer, 'headers'>): Body {
  if (headerOf(head, 'transfer-encoding') === 'chunked') return takeChunks(content)
  const length = Number(headerOf(head, 'content-length') ?? Infinity)
  return { body: content.slice(0, length), length }
}

function takeChunks(content: string): Body {
  let body = ''
  for (let at = 0; ;) {
    const lineEnd = content.indexOf('\r\n', at)
    if (lineEnd === -1) return { body, length: content.length + 1 }
    const size = Number.parseInt(content.slice(at, lineEnd), 16)
    at = lineEnd + 2 + size + 2
    if (size === 0) {
      const end = content.indexOf('\r\n\r\n', lineEnd)
      const trailers = content.slice(lineEnd + 2, end)
      if (end === -1) return { body, length: content.length + 1 }
      return { body, length: end + 4, ...(trailers === '' ? {} : { trailers }) }
    }
    body += content.slice(lineEnd + 2, at - 2)
  }
}
