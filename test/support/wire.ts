/** A small HTTP/1.1 client that writes exact bytes, and hides nothing of what comes back. */
import { connect, type Socket } from 'node:net'
import type { ParityRequest, RawStep } from './request.ts'

/** The answer of a server. */
export interface Answer {
  readonly status: number
  readonly statusMessage: string
  /** In order, names and values as on the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Latin-1, so that every byte can be compared. */
  readonly body: string
}

/** The bytes of a request, as latin-1. */
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

/** The bytes of a body; a text is UTF-8. */
export function toLatin1(body: string | Uint8Array): string {
  return Buffer.from(body as string).toString('latin1')
}

/** Two chunks, so that a body never comes in one piece. */
function toChunks(content: string): string {
  const middle = content.length >> 1
  const chunks = [content.slice(0, middle), content.slice(middle), ''].filter(
    (chunk, index) => chunk !== '' || index === 2,
  )
  return chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
}

/** A connection that is opened again whenever the server has closed it. One request at a time. */
export class Connection {
  #socket: Socket | undefined
  readonly #port: number
  readonly #timeout: number

  constructor(port: number, timeout = 30_000) {
    this.#port = port
    this.#timeout = timeout
  }

  /** Sends one request and waits for its whole answer; rejects without one. */
  async send(bytes: string, method: string): Promise<Answer> {
    const socket = (this.#socket ??= this.#open())
    const answer = await this.#exchange(
      socket,
      bytes,
      (received, ended) => takeAnswer(received, method, ended)?.answer,
    )
    const closes = answer.headers.some(
      ([name, value]) => name.toLowerCase() === 'connection' && value === 'close',
    )
    if (closes || socket.destroyed) this.close()
    return answer
  }

  /** Sends exact bytes on a connection of its own and returns all that comes back until the server closes it. */
  async sendRaw(bytes: string, steps: readonly RawStep[] = []): Promise<string> {
    const socket = this.#open()
    let next = 0
    let seen = 0
    try {
      return await this.#exchange(socket, bytes, (received, ended) => {
        const step = steps[next]
        const at = step === undefined ? -1 : received.indexOf(step.after, seen)
        if (step !== undefined && at !== -1) {
          seen = at + step.after.length
          next++
          socket.write(step.raw, 'latin1')
        }
        return ended ? received : undefined
      })
    } finally {
      socket.destroy()
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay()
    // A reset between two requests shows as a closed connection; within one, `#exchange` reports it.
    socket.on('error', () => this.close())
    return socket
  }

  async #exchange<T>(
    socket: Socket,
    bytes: string,
    parse: (received: string, ended: boolean) => T | undefined,
  ): Promise<T> {
    let received = ''
    return new Promise<T>((resolve, reject) => {
      const settle = (ended: boolean): void => {
        const parsed = parse(received, ended)
        if (parsed === undefined && !ended) return
        stop()
        if (parsed === undefined)
          reject(new Error(`The connection closed after ${JSON.stringify(received)}`))
        else resolve(parsed)
      }
      const onData = (data: Buffer): void => {
        received += data.toString('latin1')
        settle(false)
      }
      const onEnd = (): void => settle(true)
      const onError = (error: Error): void => {
        stop()
        this.close()
        reject(error)
      }
      const onTimeout = (): void =>
        onError(new Error(`No whole answer in time: ${JSON.stringify(received)}`))
      const timer = setTimeout(onTimeout, this.#timeout)
      const stop = (): void => {
        clearTimeout(timer)
        socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError)
      }
      socket.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError)
      socket.write(bytes, 'latin1')
    })
  }
}

/** The first header of a name, in lower case. */
export function headerOf({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1]
}

/** The first answer in `received`, once it is whole, and what comes after it; interim answers are skipped. */
export function takeAnswer(
  received: string,
  method: string,
  ended: boolean,
): { readonly answer: Answer; readonly rest: string } | undefined {
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
  const found = hasBody ? takeBody(content, ended, { headers }) : { body: '', length: 0 }
  if (found === undefined) return undefined
  const { body, length } = found
  return { answer: { status, statusMessage, headers, body }, rest: content.slice(length) }
}

/** The body, and how many characters it takes. */
function takeBody(
  content: string,
  ended: boolean,
  head: Pick<Answer, 'headers'>,
): { readonly body: string; readonly length: number } | undefined {
  if (headerOf(head, 'transfer-encoding') === 'chunked') return takeChunks(content)
  const told = headerOf(head, 'content-length')
  if (told === undefined) return ended ? { body: content, length: content.length } : undefined
  const length = Number(told)
  return content.length >= length ? { body: content.slice(0, length), length } : undefined
}

function takeChunks(
  content: string,
): { readonly body: string; readonly length: number } | undefined {
  let body = ''
  for (let at = 0; ;) {
    const lineEnd = content.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(content.slice(at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (content.length < next) return undefined
    if (size === 0) return { body, length: next }
    body += content.slice(lineEnd + 2, lineEnd + 2 + size)
    at = next
  }
}
