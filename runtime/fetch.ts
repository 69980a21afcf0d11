/** `framework/fetch`: serves an application on platforms that pass `Request` objects, such as workerd. */
import { createDelivery } from './adapter/fetch/delivery.ts'
import { FetchRequest, wholeBodyOf } from './adapter/fetch/request.ts'
import { createBoot, serveHosted, type Served } from './adapter/hosted/serve.ts'

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
  const { clientAddress } = options
  const boot = createBoot(app)
  return async (...args) => {
    const [request] = args
    const booting = boot()
    if (booting !== undefined) await booting
    const given = request.body as ReadableStream<Uint8Array> | null | undefined
    const body = given === undefined ? await wholeBodyOf(request) : given
    // The event of an abort during the boot is over.
    request.signal?.throwIfAborted()
    const remoteAddress = clientAddress?.(...args) ?? undefined
    return new Promise((resolve, reject) => {
      const raw = new FetchRequest({ request, args, body, remoteAddress })
      request.signal?.addEventListener('abort', () => raw.destroy())
      serveHosted(app, raw, createDelivery(resolve, reject))
    })
  }
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
  const { call } = request.raw as Partial<FetchRequest>
  if (call === undefined) throw new TypeError("This request didn't come from fetch")
  return call.args as Args
}
