/** Measures servers that run at the same time, in short turns. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { takeAnswer, toBytes } from '../../support/wire.ts'
import { cpuOf } from '../startup.ts'
import type { Contestant } from './contestants.ts'
import type { Row } from './rows.ts'

const turns = 10
const connections = 20

/**
 * Number of answers after which V8 has optimized everything. Before, a request takes up to three times as long. Node 26 needs the
 * most: after 20,000 answers, ten hooks still take 40 % more instructions.
 */
const warmUp = 60_000

/** Warm up in turns too: on Node 22 a process that has been idle for half a minute answers streams up to a third more slowly from then on. */
const warmUpTurn = 2_000

/**
 * Measures the CPU time per request of each contestant in each turn, in microseconds. The processes are fresh and run at the same
 * time. Turns are short, so that other load of the machine affects all contestants alike.
 *
 * @param seconds time for each contestant, in all turns together
 */
export async function measureRound(
  contestants: readonly Contestant[],
  row: Row,
  seconds: number,
): Promise<readonly (readonly number[])[]> {
  const servers = await Promise.all(contestants.map(({ start }) => start(row.env)))
  try {
    for (const { port } of servers) await checkAnswer(port, row)
    const loads = await Promise.all(servers.map(({ port }) => Load.open(port, row, connections)))
    for (let turn = 0; turn < warmUp / warmUpTurn; turn++) {
      for (const load of loads) await load.warmUp(warmUpTurn)
    }
    const costs: number[][] = []
    for (let turn = 0; turn < turns; turn++) {
      const cost: number[] = []
      for (const [index, load] of loads.entries()) {
        const pid = servers[index]?.pid as number
        const before = cpuOf(pid)
        const count = await load.run((1000 * seconds) / turns)
        cost.push((1000 * (cpuOf(pid) - before)) / count)
      }
      costs.push(cost)
    }
    for (const load of loads) load.close()
    return costs
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

async function checkAnswer(port: number, row: Row): Promise<void> {
  const { method, path, headers, body = null, status, contentType, answer } = row
  const url = `http://127.0.0.1:${port}${path}`
  const response = await fetch(url, { method, body, ...(headers && { headers }) })
  assert.equal(response.status, status)
  assert.equal(response.headers.get('content-type'), contentType)
  const content = typeof answer === 'string' ? await response.text() : await response.json()
  assert.deepEqual(content, answer)
}

class Load {
  readonly #sockets: readonly Socket[]
  readonly #row: Row
  readonly #requests: readonly Buffer[]
  #sent = 0

  private constructor(sockets: readonly Socket[], row: Row) {
    const { path, otherPaths = [], headers: fields = {}, ...request } = row
    this.#sockets = sockets
    this.#row = row
    const headers = Object.entries(fields)
    this.#requests = [path, ...otherPaths].map((target) => {
      const bytes = toBytes({ ...request, title: '', target, headers }, [['host', 'localhost']])
      return Buffer.from(bytes, 'latin1')
    })
  }

  static async open(port: number, row: Row, connections: number): Promise<Load> {
    const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'))
    await Promise.all(sockets.map((socket) => once(socket.setNoDelay(), 'connect')))
    return new Load(sockets, row)
  }

  /** Sends requests for `ms`. Returns the number of answers. @throws if an answer has another status */
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

  #next(): Buffer {
    return this.#requests[this.#sent++ % this.#requests.length] as Buffer
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
        else socket.write(this.#next())
      })
      socket.write(this.#next())
    })
  }
}
