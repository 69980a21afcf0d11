/** The servers of Bun and Deno, which pass `Request` objects. */
import { type HandshakeHeaders, hasOpenSockets } from '../adapter/fetch/upgrade.ts'
import type { PlatformSocket, SocketListener } from '../adapter/fetch/upgraded-socket.ts'
import type { Application } from './application.ts'
import type { Open, ToFetch } from './serve.ts'

/** The part of `Deno` that is used. */
interface Deno {
  serve(
    options: object,
    handler: (request: Request, info: DenoInfo) => Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> }
}

interface DenoInfo {
  readonly remoteAddr: { readonly hostname?: string }
}

/** The part of `Bun` that is used. */
interface Bun {
  serve(options: object): BunServer
}

interface BunServer {
  readonly port: number
  /** @param seconds how long the connection may be idle; 0 for no limit */
  timeout(request: Request, seconds: number): void
  requestIP(request: Request): { readonly address: string } | null
  stop(): Promise<void>
  upgrade(
    request: Request,
    options: { readonly headers: HandshakeHeaders; readonly data: SocketListener },
  ): boolean
}

interface BunSocket extends PlatformSocket {
  readonly data: SocketListener
}

/** Listens with `Deno.serve`. */
export function openDeno(toFetch: ToFetch): Open {
  const { Deno } = globalThis as typeof globalThis & { Deno: Deno }
  return withBoot((app, port, hostname) => {
    const handle = toFetch(app, {
      clientAddress: (_request, info) => (info as DenoInfo).remoteAddr.hostname,
      writesLength: true,
      isEncrypted: false,
      keepsAbsoluteForm: true,
      limitsLength: true,
    })
    // Deno passes only as many arguments as the handler has parameters.
    const server = Deno.serve(
      { port, hostname, onListen: () => undefined, onError, automaticCompression: false },
      (request, info) =>
        isBodyKnown(request)
          ? handle(request, info)
          : withoutEmptyBody(request).then((normalized) => handle(normalized, info)),
    )
    return { port: server.addr.port, close: () => server.shutdown() }
  })
}

/** Answers as Deno does without a listener, but doesn't print that a client has left before the answer. */
function onError(error: unknown): Response {
  if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET')
    process.stderr.write(`${process.getBuiltinModule('node:util').inspect(error)}\n`)
  return new Response('Internal Server Error', { status: 500 })
}

/** The longest time that Bun lets a connection be idle, in seconds. */
const maxIdle = 255

/** Listens with `Bun.serve`. */
export function openBun(toFetch: ToFetch): Open {
  const { Bun } = globalThis as typeof globalThis & { Bun: Bun }
  return withBoot((app, port, hostname) => {
    const { keepAliveTimeout = 72_000 } = app.initialConfig ?? {}
    const idleTimeout = Math.min(Math.ceil(keepAliveTimeout / 1000), maxIdle)
    const handle = toFetch(app, {
      clientAddress: (request, server) => (server as BunServer).requestIP(request)?.address,
      // Reading the address takes a tenth of the time of an answer.
      readsAddressLate: true,
      isEncrypted: false,
      limitsLength: true,
      acceptSocket: ([request, server], headers, listener) => {
        ;(server as BunServer).upgrade(request, { headers, data: listener })
        return undefined
      },
      onWhole: (request, server) => (server as BunServer).timeout(request, idleTimeout),
    })
    const server = Bun.serve({
      port,
      hostname,
      idleTimeout,
      // In development, Bun would answer errors with a page that shows the source.
      development: false,
      fetch(request: Request, bun: BunServer) {
        // No timeout for handlers and streams, as on Node.
        bun.timeout(request, 0)
        return handle(request, bun)
      },
      websocket: {
        // As that of `ws`, whose own option applies below.
        maxPayloadLength: 100 * 1024 * 1024,
        open: (socket: BunSocket) => socket.data.open(socket),
        message: ({ data }: BunSocket, message: string | Uint8Array) => data.message(message),
        close: ({ data }: BunSocket, code: number, reason: string) => data.close(code, reason),
      },
    })
    return { port: server.port, close: () => server.stop() }
  })
}

/** Returns the arguments of `serve` for an object with `fetch`, which the entry exports instead of an application. */
export function servedBy(
  entry: { fetch(...args: readonly unknown[]): Response | Promise<Response> },
  open: (toFetch: ToFetch) => Open,
): [Application, Open] {
  const nothing = async (): Promise<void> => undefined
  const app: Partial<Application> = { ready: nothing, close: nothing }
  const handle: ReturnType<ToFetch> = async (...args) => entry.fetch(...args)
  return [app as Application, open(() => handle)]
}

type OpenServer = (
  app: Application,
  port: number,
  hostname: string,
) => { readonly port: number; close(): Promise<void> }

/** Boots before the server listens, and closes the server before the application. */
function withBoot(open: OpenServer): Open {
  return async (app, requestedPort, host) => {
    await app.ready()
    const { port, close } = open(app, requestedPort, host)
    return {
      address: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      async close() {
        const closed = close()
        if (!hasOpenSockets()) await closed
        await app.close()
        await closed
      },
    }
  }
}

function isBodyKnown({ method, headers }: Request): boolean {
  return (
    method === 'GET' ||
    method === 'HEAD' ||
    headers.has('content-length') ||
    headers.has('transfer-encoding')
  )
}

/** Sets the body to `null` if it's empty: Deno gives requests without a body an empty stream, and only reading it shows that. */
async function withoutEmptyBody(request: Request): Promise<Request> {
  if (request.body === null) return request
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  let first = await reader.read()
  while (first.value?.byteLength === 0) first = await reader.read()
  const value = first.done ? null : continued(first.value, reader)
  return Object.defineProperty(request, 'body', { value })
}

function continued(
  first: Uint8Array,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
