/** The methods of an application that an adapter without a server calls. */
export interface Served {
  ready(): PromiseLike<unknown>
  routing(request: never, response: never): void
}

/** Boots by application. One that has failed stays failed: as in Fastify, calling `ready` again would resolve. */
const boots = new WeakMap<object, Promise<unknown>>()

/** Creates a function that starts the application on its first call. It returns `undefined` once the application is ready. */
export function createBoot(app: Pick<Served, 'ready'>): () => Promise<void> | undefined {
  let isReady = false
  return () => {
    if (isReady) return undefined
    let boot = boots.get(app)
    if (boot === undefined) boots.set(app, (boot = Promise.resolve(app.ready())))
    return boot.then(() => void (isReady = true))
  }
}
