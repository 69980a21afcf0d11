/** One end of a raw connection: writes what it is told to, and reads answers in the order in which they come. */
import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  /** Latin-1. */
  readonly body: string
}

/** The connection ended before the first byte of an answer. */
export class NoAnswer extends Error {}

/** How long an answer may take, in milliseconds, on a machine that has other work, too. */
const patience = 30_000

const lastChunk = '\r\n0\r\n\r\n'

export class Client {
  readonly #socket: Socket
  #received = ''
  #isEnded = false
  #wake: (() => void) | undefined

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay()
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (text: string) => {
      this.#received += text
      this.#wake?.()
    })
    // What is missing when a connection breaks shows as an answer that is not whole.
    this.#socket.on('error', () => {})
    const end = (): void => {
      this.#isEnded = true
      this.#wake?.()
    }
    this.#socket.on('end', end).on('close', end)
  }

  get isOpen(): boolean {
    return !this.#isEnded && !this.#socket.destroyed
  }

  write(text: string): void {
    this.#socket.write(text, 'latin1')
  }

  /** Stops reading, so that the server has to wait. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** @throws NoAnswer, or another error when the connection ends within the answer or it takes too long */
  async answer(method = 'GET'): Promise<Answer> {
    const deadline = Date.now() + patience
    for (;;) {
      const answer = this.#take(method)
      if (answer !== undefined) {
        if (answer.headers.get('connection') === 'close') this.destroy()
        return answer
      }
      if (this.#isEnded && this.#received === '') throw new NoAnswer('the connection ended')
      if (this.#isEnded) throw new Error(`the answer ends after ${shorten(this.#received)}`)
      await this.#more(deadline)
    }
  }

  /** Waits until something has come. */
  async something(): Promise<void> {
    const deadline = Date.now() + patience
    while (this.#received === '' && !this.#isEnded) await this.#more(deadline)
  }

  async #more(deadline: number): Promise<void> {
    const timer = setTimeout(() => this.#wake?.(), Math.max(0, deadline - Date.now()))
    await new Promise<void>((resolve) => (this.#wake = resolve))
    clearTimeout(timer)
    this.#wake = undefined
    if (Date.now() > deadline) throw new Error(`no whole answer, but ${shorten(this.#received)}`)
  }

  /** Takes an answer out of what was received, if it is whole. */
  #take(method: string): Answer | undefined {
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd === -1) return undefined
    const [statusLine = '', ...lines] = this.#received.slice(0, headEnd).split('\r\n')
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(': ')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
      }),
    )
    const start = headEnd + 4
    const end = method === 'HEAD' ? start : this.#bodyEnd(headers, start)
    if (end === -1 || this.#received.length < end) return undefined
    const text = this.#received.slice(start, end)
    this.#received = this.#received.slice(end)
    const isChunked = method !== 'HEAD' && headers.has('transfer-encoding')
    const body = isChunked ? joinChunks(text) : text
    return { status: Number(statusLine.split(' ')[1]), headers, body }
  }

  /** Where the body ends; -1 while that is not known. */
  #bodyEnd(headers: ReadonlyMap<string, string>, start: number): number {
    if (!headers.has('transfer-encoding')) return start + Number(headers.get('content-length') ?? 0)
    // No body that is asked for holds these characters.
    const end = this.#received.indexOf(lastChunk, start)
    return end === -1 ? -1 : end + lastChunk.length
  }
}

function joinChunks(text: string): string {
  let body = ''
  for (let at = 0; ;) {
    const lineEnd = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    if (size === 0) return body
    body += text.slice(lineEnd + 2, lineEnd + 2 + size)
    at = lineEnd + 2 + size + 2
  }
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text)
}
