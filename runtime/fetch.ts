/** `framework/fetch`: serves an application where requests come as `Request` objects, as in workerd. */
import { createDelivery } from './adapter/fetch/delivery.ts'
import { FetchRequest, wholeBodyOf } from './adapter/fetch/request.ts'
import { createBoot, serveHosted, type Served } from './adapter/hosted/serve.ts'

/** What platforms call with a request, and whatever else they give: in workerd the bindings and the context. */
export type FetchHandler = (request: Request, ...more: unknown[]) => Promise<Response>

export interface FetchOptions {
  /**
   * Tells a client's address, for `request.ip`: without it that is `undefined`. On Cloudflare
   * `(request) => request.headers.get('cf-connecting-ip')`; elsewhere clients can write that header themselves.
   */
  readonly clientAddress?:
    | ((request: Request, ...more: unknown[]) => string | null | undefined)
    | undefined
}

/**
 * Makes the function that answers requests with `app`.
 *
 *     export default { fetch: toFetch(app) }
 *
 * The first request boots the application, unless `await app.ready()` has done so before; when that fails, all
 * requests are rejected with its error.
 */
export function toFetch(app: Served, options: FetchOptions = {}): FetchHandler {
  const { clientAddress } = options
  const boot = createBoot(app)
  return async (...args) => {
    const [request] = args
    const booting = boot()
    if (booting !== undefined) await booting
    const given = request.body as ReadableStream<Uint8Array> | null | undefined
    const body = given === undefined ? await wholeBodyOf(request) : given
    const remoteAddress = clientAddress?.(...args) ?? undefined
    return new Promise((resolve, reject) => {
      const raw = new FetchRequest({ request, args, body, remoteAddress })
      request.signal?.addEventListener('abort', () => raw.destroy())
      serveHosted(app, raw, createDelivery(resolve, reject))
    })
  }
}

/**
 * What the platform called `fetch` with: the `Request`, then what else it gave.
 *
 *     const [, env, context] = fetchArguments<[Request, Env, ExecutionContext]>(request)
 *
 * @throws TypeError for a request that did not come by `fetch`
 */
export function fetchArguments<
  Args extends readonly unknown[] = readonly [Request, ...unknown[]],
>(request: { readonly raw: unknown }): Args {
  // Not by its class: another copy of this package may have made it, as ES module or CommonJS.
  const { call } = request.raw as Partial<FetchRequest>
  if (call === undefined) throw new TypeError('This request did not come by fetch')
  return call.args as unknown as Args
}
