import type { Delivery } from './delivery.ts'
import type { HostedRequest } from './request.ts'
import { HostedResponse } from './response.ts'

/** The methods of an application that are called. */
export interface Served {
  ready(): PromiseLike<unknown>
  routing(request: never, response: never): void
}

/** Creates a function that starts the application on its first call. It returns `undefined` once the application is ready. */
export function createBoot(app: Pick<Served, 'ready'>): () => PromiseLike<void> | undefined {
  let boot: PromiseLike<void> | undefined
  let isReady = false
  return () => {
    if (isReady) return undefined
    return (boot ??= app.ready().then(() => void (isReady = true)))
  }
}

/** Serves a request on a platform without sockets. If the client disconnects, the response is destroyed. */
export function serveHosted(app: Served, request: HostedRequest, delivery: Delivery): void {
  const response = new HostedResponse(request, delivery)
  request.once('aborted', () => response.destroy())
  response.once('close', () => (response.writableFinished ? request.dump() : request.destroy()))
  app.routing(request as never, response as never)
}
