import type { Delivery } from './delivery.ts'
import type { HostedRequest } from './request.ts'
import { HostedResponse } from './response.ts'

/** What is needed of an application. */
export interface Served {
  ready(): PromiseLike<unknown>
  routing(request: never, response: never): void
}

/** Gives a function that boots the application when it is first called; of no use any more, it returns `undefined`. */
export function createBoot(app: Pick<Served, 'ready'>): () => PromiseLike<void> | undefined {
  let boot: PromiseLike<void> | undefined
  let isReady = false
  return () => {
    if (isReady) return undefined
    return (boot ??= app.ready().then(() => void (isReady = true)))
  }
}

/** Answers a request that came without a socket. Whichever side ends first ends the other. */
export function serveHosted(app: Served, request: HostedRequest, delivery: Delivery): void {
  const response = new HostedResponse(request, delivery)
  request.once('aborted', () => response.destroy())
  response.once('close', () => (response.writableFinished ? request.dump() : request.destroy()))
  app.routing(request as never, response as never)
}
