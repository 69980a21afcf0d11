/** Accepts WebSockets in workerd and Deno, whose sockets have the interface of browsers. */
import type * as Http from 'node:http'
import { nodeModule } from '../../platform/index.ts'
import type { AcceptSocket } from './upgrade.ts'
import type { PlatformSocket, SocketListener } from './upgraded-socket.ts'

/** Events of the socket: `data` of a message, `code` and `reason` of a close. */
interface StandardSocket extends PlatformSocket {
  binaryType: string
  addEventListener(event: string, listener: (event: never) => void): void
}

interface WorkerdSocket extends StandardSocket {
  accept(): void
}

interface Platforms {
  readonly WebSocketPair?: new () => { 0: WorkerdSocket; 1: WorkerdSocket }
  readonly Deno?: {
    upgradeWebSocket(
      request: Request,
      options: { readonly protocol?: string },
    ): { readonly socket: StandardSocket; readonly response: Response }
  }
}

const { WebSocketPair, Deno } = globalThis as Platforms

/** `undefined` where the platform has no function for it. */
export const acceptSocket: AcceptSocket | undefined =
  WebSocketPair !== undefined
    ? (_args, headers, listener) => {
        const { 0: client, 1: socket } = new WebSocketPair()
        connect(socket, listener)
        socket.accept()
        listener.open(socket)
        const init = { status: 101, webSocket: client, headers: toPairs(headers) }
        return new Response(null, init)
      }
    : Deno !== undefined
      ? ([request], headers, listener) => {
          const [, protocol] = headers.find(([name]) => name === PROTOCOL) ?? []
          const { socket, response } = Deno.upgradeWebSocket(
            withSpaces(request),
            protocol === undefined ? {} : { protocol },
          )
          connect(socket, listener)
          socket.addEventListener('open', () => listener.open(socket))
          return response
        }
      : undefined

if (WebSocketPair !== undefined) {
  // Listeners of the event `upgrade` call it for the response that they create. workerd's function throws, and its first versions have none.
  const http: Partial<typeof Http> | undefined = nodeModule('node:http')
  if (http?.ServerResponse) http.ServerResponse.prototype.assignSocket = () => {}
}

const PROTOCOL = 'sec-websocket-protocol'

/** Changes the list of protocols as Deno reads it: it doesn't find one after a comma without a space. */
function withSpaces(request: Request): Request {
  const list = request.headers.get(PROTOCOL)
  if (list === null) return request
  const headers = new Headers(request.headers)
  headers.set(PROTOCOL, list.split(/[ \t]*,[ \t]*/).join(', '))
  return Object.defineProperty(request, 'headers', { value: headers })
}

function connect(socket: StandardSocket, listener: SocketListener): void {
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }: { data: string | ArrayBuffer }) =>
    listener.message(typeof data === 'string' ? data : new Uint8Array(data)),
  )
  socket.addEventListener('close', ({ code, reason }: { code: number; reason: string }) =>
    listener.close(code, reason),
  )
}

function toPairs(headers: Parameters<AcceptSocket>[1]): [string, string][] {
  return headers.map(([name, value]) => [name, value])
}
