import type * as Stream from 'node:stream'
import { streams } from '../../platform/index.ts'
import { FrameReader, opcodes, toClosePayload, toFrame } from './websocket-frames.ts'

/** The socket of a platform's own WebSocket. */
export interface PlatformSocket {
  send(data: string | Uint8Array): void
  close(code?: number, reason?: string): void
  /** Ends the connection without a close frame, where the platform can. */
  terminate?(): void
}

/** The events of a platform's socket. */
export interface SocketListener {
  open(socket: PlatformSocket): void
  message(data: string | Uint8Array): void
  /** @param code 1005 without a code, 1006, in Deno 0, without a close frame */
  close(code: number, reason: string): void
}

/** The answer to an upgrade that a server has written. */
export interface HandshakeAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The bytes after the head. */
  readonly body: Buffer
}

const Duplex: typeof Stream.Duplex = streams().Duplex

/**
 * The socket of an upgrade, as listeners of the server's event `upgrade` get it: they write the head of an answer and then frames, and read the
 * frames of a client. The platform has the connection, so frames become messages of its own socket, and the other way round.
 */
export class UpgradedSocket extends Duplex implements SocketListener {
  readonly #answer: (answer: HandshakeAnswer) => void
  /** The incomplete answer; `undefined` once it was passed on. */
  #written: Buffer | undefined = Buffer.alloc(0)
  #isAccepted = false
  isAnswered = false
  #frames = new FrameReader()
  #socket: PlatformSocket | undefined
  /** Calls that wait for the platform's socket. */
  #waiting: ((socket: PlatformSocket) => void)[] = []
  #isClosed = false

  /** @param answer called with the answer to the client. After a status of 101, the platform calls the methods of `SocketListener` */
  constructor(answer: (answer: HandshakeAnswer) => void) {
    super()
    this.#answer = answer
    // As in Node: an error without listeners doesn't end the process.
    this.on('error', () => {})
  }

  open(socket: PlatformSocket): void {
    this.#socket = socket
    for (const call of this.#waiting.splice(0)) call(socket)
  }

  message(data: string | Uint8Array): void {
    if (typeof data === 'string') this.#receive(opcodes.text, Buffer.from(data))
    else this.#receive(opcodes.binary, data)
  }

  close(code: number, reason: string): void {
    if (code !== 1006 && code !== 0)
      return this.#receive(opcodes.close, toClosePayload(code, reason))
    this.#isClosed = true
    if (!this.readableEnded) this.push(null)
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#isAccepted) this.#send(chunk)
    else this.#readAnswer(chunk)
    done()
  }

  override _final(done: () => void): void {
    // The handshake was refused, with a body that ends here.
    if (this.#written?.includes(END_OF_HEAD)) this.#answerWith(toAnswer(this.#written))
    this.#written = undefined
    if (!this.readableEnded) this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#written = undefined
    if (this.#isAccepted && !this.#isClosed) {
      this.#isClosed = true
      this.#call((socket) => (socket.terminate ? socket.terminate() : socket.close(1011)))
    }
    done(error)
  }

  #readAnswer(chunk: Buffer): void {
    if (this.#written === undefined) return
    const written = Buffer.concat([this.#written, chunk])
    this.#written = written
    if (!written.includes(END_OF_HEAD)) return
    const answer = toAnswer(written)
    if (answer.status !== 101) return
    this.#written = undefined
    this.#isAccepted = true
    this.#answerWith(answer)
    this.#send(answer.body)
  }

  #answerWith(answer: HandshakeAnswer): void {
    this.isAnswered = true
    this.#answer(answer)
  }

  #receive(opcode: number, payload: Uint8Array): void {
    if (this.readableEnded || this.destroyed) return
    for (const part of toFrame(opcode, payload)) this.push(part)
  }

  #send(bytes: Buffer): void {
    for (const { opcode, payload } of this.#frames.read(bytes)) {
      if (opcode === opcodes.text) this.#call((socket) => socket.send(payload.toString()))
      else if (opcode === opcodes.binary) this.#call((socket) => socket.send(payload))
      // The platform pings clients itself.
      else if (opcode === opcodes.ping) this.#receive(opcodes.pong, payload)
      else if (opcode === opcodes.close && !this.#isClosed) {
        this.#isClosed = true
        const reason = payload.subarray(2).toString()
        // Some platforms allow no reason, even an empty one, without a code.
        if (payload.length < 2) this.#call((socket) => socket.close())
        else this.#call((socket) => socket.close(payload.readUInt16BE(), reason))
      }
    }
  }

  #call(call: (socket: PlatformSocket) => void): void {
    if (this.#socket === undefined) this.#waiting.push(call)
    else call(this.#socket)
  }
}

const END_OF_HEAD = '\r\n\r\n'

/** Reads an answer in HTTP/1.1. */
function toAnswer(bytes: Buffer): HandshakeAnswer {
  const end = bytes.indexOf(END_OF_HEAD)
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = lines.map((one): [string, string] => {
    const colon = one.indexOf(':')
    return [one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim()]
  })
  return {
    status: Number(line.split(' ')[1]),
    headers,
    body: bytes.subarray(end + END_OF_HEAD.length),
  }
}
