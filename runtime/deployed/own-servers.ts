/** Servers that platforms bring along beside that of Node: they call with `Request` objects. */
import type { Deployed } from './application.ts'
import type { Open, ToFetch } from './serve.ts'

/** What is needed of `Deno`. */
interface Deno {
  serve(
    options: object,
    handler: (request: Request, info: DenoInfo) => Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> }
}

interface DenoInfo {
  readonly remoteAddr: { readonly hostname?: string }
}

/** What is needed of `Bun`. */
interface Bun {
  serve(options: object): BunServer
}

interface BunServer {
  readonly port: number
  requestIP(request: Request): { readonly address: string } | null
  stop(): Promise<void>
}

/** `Deno.serve`. */
export function openDeno(toFetch: ToFetch): Open {
  const { Deno } = globalThis as unknown as { Deno: Deno }
  return opening((app, port, hostname) => {
    const handle = toFetch(app, {
      clientAddress: (_request, info) => (info as DenoInfo).remoteAddr.hostname,
    })
    // Deno passes no more to a handler than it has parameters.
    const server = Deno.serve(
      { port, hostname, onListen: () => undefined, automaticCompression: false },
      async (request, info) => handle(await withoutNoBody(request), info),
    )
    return { port: server.addr.port, close: () => server.shutdown() }
  })
}

/** `Bun.serve`. */
export function openBun(toFetch: ToFetch): Open {
  const { Bun } = globalThis as unknown as { Bun: Bun }
  return opening((app, port, hostname) => {
    const handle = toFetch(app, {
      clientAddress: (request, server) => (server as BunServer).requestIP(request)?.address,
    })
    // A handler may take its time, as on Node.
    const server = Bun.serve({ port, hostname, idleTimeout: 0, fetch: handle })
    return { port: server.port, close: () => server.stop() }
  })
}

type OpenServer = (
  app: Deployed,
  port: number,
  hostname: string,
) => { readonly port: number; close(): Promise<void> }

/** Boots before there are requests, and closes the server before the application. */
function opening(open: OpenServer): Open {
  return async (app, given, host) => {
    await app.ready()
    const { port, close } = open(app, given, host)
    return {
      address: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      close: () => close().then(() => app.close()),
    }
  }
}

/** Deno gives a stream to each request that may have a body; where no header announces one, only reading tells. */
async function withoutNoBody(request: Request): Promise<Request> {
  const { headers, method } = request
  const isTold = headers.has('content-length') || headers.has('transfer-encoding')
  if (isTold || method === 'GET' || method === 'HEAD' || request.body === null) return request
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
