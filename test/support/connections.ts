/** Runs one application on Fastify and on ours, listening, and compares all that its clients can see. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import fastify, { type FastifyInstance } from 'fastify'
import framework from 'framework'
import { type Note, show } from './differential.ts'

type Factory = (options?: unknown) => FastifyInstance

/** The context of a client. */
export interface Talk {
  readonly app: FastifyInstance
  readonly port: number
  readonly note: Note
  /** Resolves when something was noted that begins so. */
  heard(beginning: string): Promise<void>
}

export interface ConnectionScenario {
  /** Fastify 4.21 unless it is wrong. */
  readonly oracle?: unknown
  readonly options?: object
  /** Declares the application; `note` adds to what is compared. */
  build(app: FastifyInstance, note: Note): unknown
  /** Talks to it. */
  talk(talk: Talk): Promise<unknown>
}

/** Asserts that clients of both see the same, and that the notes were made in the same order. */
export async function assertSameOnConnections(scenario: ConnectionScenario): Promise<void> {
  const { expected, actual } = await observeBoth(scenario)
  assert.deepEqual(actual, expected)
}

/** Observations of Fastify and of ours. */
export async function observeBoth(
  scenario: ConnectionScenario,
): Promise<{ expected: readonly string[]; actual: readonly string[] }> {
  const expected = await observe((scenario.oracle ?? fastify) as Factory, scenario)
  const actual = await observe(framework as unknown as Factory, scenario)
  return { expected, actual }
}

async function observe(factory: Factory, scenario: ConnectionScenario): Promise<string[]> {
  const seen: string[] = []
  const waiting = new Set<() => void>()
  const note: Note = (...values) => {
    seen.push(withoutChance(values.map(show).join(' ')))
    waiting.forEach((wake) => wake())
  }
  const heard = (beginning: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!seen.some((text) => text.startsWith(beginning))) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  // Fastify writes into them.
  const app = factory({ ...scenario.options })
  await scenario.build(app, note)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  // The timers by which servers end connections keep no process alive.
  const alive = setInterval(() => {}, 1000)
  try {
    await scenario.talk({ app, port, note, heard })
  } finally {
    await app.close()
    clearInterval(alive)
  }
  return seen
}

/** Ports, times and the like differ from run to run. */
function withoutChance(text: string): string {
  return text
    .replace(/(date: )[^\r]*/gi, '$1DATE')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
}

/** A connection that writes exact bytes and keeps all that comes back. */
export class Wire {
  readonly socket: Socket
  received = ''
  isClosed = false
  #wake: (() => void) | undefined

  constructor(port: number, secure = false) {
    this.socket = secure
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(port, '127.0.0.1')
    this.socket.setEncoding('latin1')
    this.socket.on('data', (text: string) => {
      this.received += text
      this.#wake?.()
    })
    // A reset shows as a connection that is closed.
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.isClosed = true
      this.#wake?.()
    })
  }

  write(...lines: readonly string[]): void {
    this.socket.write(lines.join('\r\n'), 'latin1')
  }

  get(path: string, ...headers: readonly string[]): void {
    this.write(`GET ${path} HTTP/1.1`, 'Host: a.test', ...headers, '', '')
  }

  /** Resolves with all that has come, once `pattern` is in it. */
  async until(pattern: RegExp | string): Promise<string> {
    const isThere = (): boolean =>
      typeof pattern === 'string' ? this.received.includes(pattern) : pattern.test(this.received)
    while (!isThere()) {
      if (this.isClosed) throw new Error(`The connection was closed after ${this.received}`)
      await this.more()
    }
    return this.received
  }

  /** Resolves when more has come, or the connection is closed. */
  more(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }

  /** Resolves with all that has come when the server has closed the connection. */
  async end(): Promise<string> {
    if (!this.isClosed) await once(this.socket, 'close')
    return this.received
  }

  destroy(): void {
    this.socket.destroy()
  }
}

/** Writes exact bytes on a connection of its own; resolves with all that comes until the server closes it. */
export function exchange(port: number, ...lines: readonly string[]): Promise<string> {
  const wire = new Wire(port)
  wire.write(...lines)
  return wire.end()
}
