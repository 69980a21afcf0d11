/** `framework/fetch`: serves an application on platforms that pass `Request` objects, such as workerd. */
import { acceptSocket } from './adapter/fetch/accept-socket.ts'
import { FetchRequest, type FetchSettings } from './adapter/fetch/request.ts'
import { FetchResponse } from './adapter/fetch/response.ts'
import { upgrade } from './adapter/fetch/upgrade.ts'
import { waitUntil } from './adapter/fetch/wait-until.ts'
import { createBoot, type Served } from './adapter/hosted/boot.ts'

/** Called by the platform with a request and its own arguments: in workerd, bindings and context. */
export type FetchHandler = (request: Request, ...more: unknown[]) => Promise<Response>

export interface FetchOptions {
  /**
   * Returns the address of the client for `request.ip`, which is `undefined` without this option. On Cloudflare
   * `(request) => request.headers.get('cf-connecting-ip')`. On other platforms clients can set that header themselves.
   */
  readonly clientAddress?:
    | ((request: Request, ...more: unknown[]) => string | null | undefined)
    | undefined
}

/**
 * Creates the function that answers requests with `app`.
 *
 *     export default { fetch: toFetch(app) }
 *
 * The first request starts the application, unless `await app.ready()` was called before. If the start fails, all requests are rejected
 * with its error.
 */
export function toFetch(app: Served, options: FetchOptions = {}): FetchHandler {
  const boot = createBoot(app)
  const { acceptSocket: accept = acceptSocket } = options as FetchSettings
  return (...args) =>
    new Promise((resolve, reject) => {
      const booting = boot()
      if (booting === undefined) return serve(args, resolve, reject)
      const serveUnlessAborted = (): void => {
        // The event of an abort during the boot is over.
        args[0].signal?.throwIfAborted()
        serve(args, resolve, reject)
      }
      // Other requests wait for it as well, so it mustn't end with the client of this one.
      waitUntil(args, Promise.allSettled([booting]))
      booting.then(serveUnlessAborted).then(undefined, reject)
    })

  function route(request: FetchRequest, response: FetchResponse): void {
    app.routing(request as never, response as never)
  }

  function serve(
    args: Parameters<FetchHandler>,
    resolve: (response: Response) => void,
    reject: (error: Error) => void,
  ): void {
    const request = new FetchRequest(args, options)
    if (request.isMalformed) return resolve(clientError())
    const response = new FetchResponse(request, resolve, reject)
    if (accept !== undefined && upgrade(app, request, response, accept, resolve)) return
    if (request.isUnprepared) request.prepare().then(() => route(request, response), reject)
    else route(request, response)
  }
}

/** The answer of Node's server to a request that isn't HTTP, which reaches no application. */
function clientError(): Response {
  const body = '{"error":"Bad Request","message":"Client Error","statusCode":400}'
  return new Response(body, { status: 400, headers: { 'content-type': 'application/json' } })
}

/**
 * Returns the arguments of `fetch`: the `Request` and those of the platform.
 *
 *     const [, env, context] = fetchArguments<[Request, Env, ExecutionContext]>(request)
 *
 * @throws TypeError for a request that didn't come from `fetch`
 */
export function fetchArguments<
  Args extends readonly unknown[] = readonly [Request, ...unknown[]],
>(request: { readonly raw: unknown }): Args {
  // Not by `instanceof`: the class may be from another copy of this package.
  const { fetchArguments: args } = request.raw as Partial<FetchRequest>
  if (args === undefined) throw new TypeError("This request didn't come from fetch")
  return args as readonly unknown[] as Args
}
