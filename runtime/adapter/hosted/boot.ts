/** The methods of an application that an adapter without a server calls. */
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
