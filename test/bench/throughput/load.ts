/** Keep-alive connections to one server. Each sends the same request again as soon as the answer is whole. */
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import type { Row } from './rows.ts'

export class Load {
  readonly #sockets: readonly Socket[]
  readonly #request: Buffer
  readonly #status: string

  private constructor(sockets: readonly Socket[], row: Row) {
    this.#sockets = sockets
    this.#request = requestOf(row)
    this.#status = `HTTP/1.1 ${row.status} `
  }

  static async open(port: number, row: Row, connections: number): Promise<Load> {
    const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'))
    await Promise.all(sockets.map((socket) => once(socket.setNoDelay(), 'connect')))
    return new Load(sockets, row)
  }

  /** Sends requests for that long; gives the number of answers. @throws on an answer of another status */
  async run(ms: number): Promise<number> {
    const deadline = performance.now() + ms
    return this.#driveAll(() => performance.now() >= deadline)
  }

  /** Sends requests until there were so many answers. @throws on an answer of another status */
  async warmUp(answers: number): Promise<void> {
    let count = 0
    await this.#driveAll(() => ++count >= answers)
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #driveAll(isOver: () => boolean): Promise<number> {
    const counts = await Promise.all(this.#sockets.map((socket) => this.#drive(socket, isOver)))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** @param isOver called after each answer */
  #drive(socket: Socket, isOver: () => boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      let count = 0
      let isWhole = answerReader(this.#status)
      const settle = (error?: Error): void => {
        socket.removeAllListeners()
        if (error) reject(error)
        else resolve(count)
      }
      if (socket.destroyed) reject(new Error('The server has closed the connection'))
      socket.on('error', settle)
      socket.on('close', () => settle(new Error('The server closed the connection')))
      socket.on('data', (chunk) => {
        try {
          if (!isWhole(chunk)) return
        } catch (error) {
          settle(error as Error)
          return
        }
        count++
        if (isOver()) {
          settle()
          return
        }
        isWhole = answerReader(this.#status)
        socket.write(this.#request)
      })
      socket.write(this.#request)
    })
  }
}

const lastChunk = '0\r\n\r\n'

/** Splits data into answers, and reports the last part of each. */
function answerReader(status: string): (part: Buffer) => boolean {
  let head = ''
  /** Bytes; `NaN` for a body in chunks, of which only the end says that it is one. */
  let missing: number | undefined
  let tail = ''
  return (part) => {
    if (missing === undefined) {
      head += part.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return false
      if (!head.startsWith(status)) throw new Error(`Not the expected answer: ${head}`)
      const [, length] = /content-length: (\d+)/i.exec(head.slice(0, end)) ?? []
      missing = Number(length) - (head.length - end - 4)
      tail = head.slice(-lastChunk.length)
    } else {
      missing -= part.length
      tail = (tail + part.toString('latin1', Math.max(0, part.length - lastChunk.length))).slice(
        -lastChunk.length,
      )
    }
    return Number.isNaN(missing) ? tail === lastChunk : missing <= 0
  }
}

function requestOf({ method, path, headers, body }: Row): Buffer {
  const all = {
    host: 'localhost',
    ...headers,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}
