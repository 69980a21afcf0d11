/** `framework/fetch`: serves an application where requests come as `Request` objects, as in workerd. */
import { FetchRequest } from './adapter/fetch/request.ts'
import { FetchResponse } from './adapter/fetch/response.ts'

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

/** What is needed of an application. */
interface Served {
  ready(): PromiseLike<unknown>
  routing(request: never, response: never): void
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
  let boot: PromiseLike<unknown> | undefined
  let isReady = false
  return async (...args) => {
    const [request] = args
    if (!isReady) {
      await (boot ??= app.ready())
      isReady = true
    }
    const remoteAddress = clientAddress?.(...args) ?? undefined
    return new Promise((resolve, reject) => {
      const raw = new FetchRequest({ request, args, remoteAddress })
      const response = new FetchResponse(raw, resolve, reject)
      raw.once('aborted', () => response.destroy())
      response.once('close', () => (response.writableFinished ? raw.dump() : raw.destroy()))
      request.signal?.addEventListener('abort', () => raw.destroy())
      app.routing(raw as never, response as never)
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
