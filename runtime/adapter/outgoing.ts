import type * as Http from 'node:http'
import { kEndWith } from '../serve/symbols.ts'

type ResponseClass = typeof Http.ServerResponse

/** What Node keeps of a response, and calls. */
interface Internals {
  readonly _headerSent: boolean
  /** Not after the head of an answer to HEAD, nor of a 204 or 304. */
  readonly _hasBody: boolean
  readonly strictContentLength: boolean
  /** What waits for the socket. */
  readonly outputData: readonly unknown[]
  readonly socket: Socket | null
  finished: boolean
  /** Writes text, after the head where that is not out yet. */
  _send(text: string, encoding: 'utf8', written: () => void): boolean
  /** Tells that nothing more will be written. */
  _finish(): void
}

interface Socket {
  readonly destroyed: boolean
  readonly writableCorked: number
  readonly _hadError?: boolean
  /** The response whose turn it is, where requests are pipelined. */
  readonly _httpMessage: unknown
}

/**
 * Options of a server for the class of its responses. Node 24 and later do without it what it does; Deno and Bun have responses
 * of their own in the place of Node's.
 */
export function ownOutgoing(http: typeof Http): { ServerResponse?: ResponseClass } {
  const { versions } = process
  if ('deno' in versions || 'bun' in versions || !(Number.parseInt(versions.node) < 24)) return {}
  // Who has put an `end` of his own there wants to hear of each answer.
  if (Object.hasOwn(http.ServerResponse.prototype, 'end')) return {}
  return { ServerResponse: responseClass(http) }
}

let made: { readonly base: ResponseClass; readonly Outgoing: ResponseClass } | undefined

/**
 * The class of responses that go out by `node:http`: an answer that is there as a whole is one write on the socket. Before
 * Node 24, Node writes head and payload, then an empty text to hear when that is out, and gathers both for the socket.
 */
function responseClass(http: typeof Http): ResponseClass {
  const base = http.ServerResponse
  if (made?.base === base) return made.Outgoing
  const { end } = base.prototype

  // Applications see the name, so it is Node's.
  class ServerResponse extends base {
    /** As `end(payload)` after `writeHead`. Tells whether it has: where anything is unusual, Node is to. */
    [kEndWith](payload: string): boolean {
      const internals = this as unknown as Internals
      const { socket } = internals
      if (
        this.end !== end ||
        payload === '' ||
        socket === null ||
        socket.destroyed ||
        socket._httpMessage !== this ||
        socket.writableCorked > 0 ||
        !this.headersSent ||
        internals._headerSent ||
        !internals._hasBody ||
        this.chunkedEncoding ||
        internals.strictContentLength ||
        this.destroyed
      ) {
        return false
      }
      internals._send(payload, 'utf8', () => {
        if (internals.socket?._hadError !== true) this.emit('finish')
      })
      internals.finished = true
      if (internals.socket?._httpMessage === this && internals.outputData.length === 0)
        internals._finish()
      return true
    }
  }
  made = { base, Outgoing: ServerResponse as unknown as ResponseClass }
  return made.Outgoing
}
