import type { HostedResponse } from './response.ts'

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

/** Serves a request on a platform without sockets. */
export function serveHosted(app: Served, response: Pick<HostedResponse, 'req'>): void {
  app.routing(response.req as never, response as never)
}
