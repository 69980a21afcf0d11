/** Keep-alive connections to one server. Each sends the same request again as soon as the answer is whole. */
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { takeAnswer, toBytes } from '../../support/wire.ts'
import type { Row } from './rows.ts'

export class Load {
  readonly #sockets: readonly Socket[]
  readonly #row: Row
  readonly #request: Buffer

  private constructor(sockets: readonly Socket[], row: Row) {
    const { path: target, headers = {}, ...request } = row
    this.#sockets = sockets
    this.#row = row
    const bytes = toBytes({ ...request, title: '', target, headers: Object.entries(headers) }, [
      ['host', 'localhost'],
    ])
    this.#request = Buffer.from(bytes, 'latin1')
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

  #drive(socket: Socket, isOver: () => boolean): Promise<number> {
    const { method, status } = this.#row
    return new Promise((resolve, reject) => {
      let count = 0
      let received = ''
      const settle = (error?: Error): void => {
        socket.removeAllListeners()
        if (error) reject(error)
        else resolve(count)
      }
      if (socket.destroyed) reject(new Error('The server has closed the connection'))
      socket.on('error', settle)
      socket.on('close', () => settle(new Error('The server closed the connection')))
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        const answer = takeAnswer(received, method, false)?.answer
        if (answer === undefined) return
        received = ''
        count++
        if (answer.status !== status)
          settle(new Error(`The answer has the status ${answer.status}`))
        else if (isOver()) settle()
        else socket.write(this.#request)
      })
      socket.write(this.#request)
    })
  }
}
