/** Upgrades to WebSocket: passes them to the listeners of the application's server, such as @fastify/websocket, as Node does. */
import { FRAMING } from '../hosted/headers.ts'
import { kLazyServer, type LazyServer } from '../lazy-server.ts'
import { FetchRequest } from './request.ts'
import type { FetchResponse } from './response.ts'
import { waitUntil } from './wait-until.ts'
import { type HandshakeAnswer, type SocketListener, UpgradedSocket } from './upgraded-socket.ts'

/** The headers of an accepted handshake, without those that the platform writes itself. */
export type HandshakeHeaders = readonly (readonly [name: string, value: string])[]

/**
 * Accepts an upgrade with the platform's own WebSocket.
 *
 * @param args the arguments of `fetch`
 * @returns the answer. `undefined` if the platform has sent one
 */
export type AcceptSocket = (
  args: readonly [Request, ...unknown[]],
  headers: HandshakeHeaders,
  listener: SocketListener,
) => Response | undefined

let openSockets = 0

/** Returns whether sockets are open, which only the application closes. */
export function hasOpenSockets(): boolean {
  return openSockets > 0
}

interface Upgradable {
  readonly [kLazyServer]?: LazyServer
  routing(request: unknown, response: unknown): void
}

/**
 * Passes a request for a WebSocket to the listeners of the server's event `upgrade`.
 *
 * @param resolve called with the answer, unless `response` sends one
 * @returns false if it's another request, or the event has no listeners
 */
export function upgrade(
  app: Upgradable,
  request: FetchRequest,
  response: FetchResponse,
  accept: AcceptSocket,
  resolve: (response: Response) => void,
): boolean {
  const server = app[kLazyServer]?.peek()
  if (server === undefined || server.listenerCount('upgrade') === 0) return false
  if (request.method !== 'GET' || !isForWebSocket(request.headers)) return false
  const socket = new UpgradedSocket((answer) => {
    // Some platforms forget a request from here on, or report it as aborted.
    request.settle(true, true)
    request.dump()
    const { fetchArguments } = request
    if (answer.status !== 101) return resolve(refusal(answer))
    try {
      const listener = { open, message, close }
      resolve(accept(fetchArguments, headersOf(answer), listener) as Response)
    } catch (error) {
      // The platform refuses what a listener has accepted.
      response.destroy(error as Error)
      socket.destroy()
    }

    // The platform would end the work of a connection that is closed, and with it the events of the close.
    function close(code: number, reason: string): void {
      waitUntil(fetchArguments, closed)
      socket.close(code, reason)
    }
  })
  const open: SocketListener['open'] = (one) => socket.open(one)
  const message: SocketListener['message'] = (data) => socket.message(data)
  const closed = new Promise((end) => socket.once('close', end))
  openSockets++
  socket.once('close', () => {
    openSockets--
    if (!socket.isAnswered && !response.writableEnded) response.destroy()
  })
  keepResponses(app)
  request.headers = { ...request.headers, ...handshake(request.headers) }
  return server.emit('upgrade', request, socket, Buffer.alloc(0))
}

function isForWebSocket({ upgrade: protocol }: FetchRequest['headers']): boolean {
  return String(protocol).toLowerCase() === 'websocket'
}

/** Returns the headers of a handshake that a platform may leave out. It negotiates extensions of the protocol itself. */
function handshake(headers: FetchRequest['headers']): FetchRequest['headers'] {
  delete headers['sec-websocket-extensions']
  return {
    connection: 'Upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': headers['sec-websocket-key'] ?? Buffer.alloc(16).toString('base64'),
  }
}

/** Applications whose `routing` was replaced. */
const changed = new WeakSet<object>()

/** Routes upgrades with the response of `toFetch`, because listeners of the event create one for Node's sockets. */
function keepResponses(app: Upgradable): void {
  if (changed.has(app)) return
  changed.add(app)
  const { routing } = app
  app.routing = (request, response) =>
    routing(request, request instanceof FetchRequest ? request.response : response)
}

const WRITTEN_BY_PLATFORM = new Set([...FRAMING, 'sec-websocket-accept'])

function headersOf({ headers }: HandshakeAnswer): HandshakeHeaders {
  return headers.filter(([name]) => !WRITTEN_BY_PLATFORM.has(name))
}

function refusal(answer: HandshakeAnswer): Response {
  const headers = headersOf(answer).map(([name, value]): [string, string] => [name, value])
  return new Response(answer.body as unknown as Uint8Array<ArrayBuffer>, {
    status: answer.status,
    headers,
  })
}
