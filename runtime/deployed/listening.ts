import { deploymentErrorCodes } from '../errors/index.ts'
import { whenMade } from '../platform/announce.ts'
import type { Deployed } from './application.ts'

/** What `listen` says where nobody can connect to the application itself. */
const ADDRESS = 'http://localhost'

type Callback = (error: unknown, address?: string) => void

/** The application that an entry tells to listen. */
export interface Listening<T> {
  /** What was made of it. */
  readonly taken: Promise<T>
  /** Whether there is one by now. */
  isTold(): boolean
}

/** Made of an application, which itself is none: a promise that gives an instance would boot it. */
type Made = object & { readonly then?: never }

/**
 * Takes `listen` from all applications that are made from now on: where the platform has the socket, it says which one is to be
 * served. Gives what `take` has made of that one, which it gets before it boots.
 *
 * @param bootsNow whether `listen` boots it, as on Node; it has been booted then
 */
export function takeListening<T extends Made>(
  bootsNow: boolean,
  take: (app: Deployed) => T,
): Listening<T> {
  let served: Deployed | undefined
  const taken = new Promise<T>((serve, fail) => {
    whenMade((made) => {
      const app = made as Deployed
      const takeOnce = beforeReady(app, take)
      app.listen = (...args: readonly unknown[]) => {
        if (served !== undefined && served !== app) {
          throw new deploymentErrorCodes.FST_ERR_DEPLOY_SECOND_APPLICATION()
        }
        served = app
        const taken = takeOnce()
        const booted = bootsNow ? Promise.resolve(app.ready()) : Promise.resolve()
        booted.then(() => serve(taken), fail)
        const callback = args.at(-1)
        if (typeof callback !== 'function') return booted.then(() => ADDRESS)
        booted.then(() => (callback as Callback)(null, ADDRESS), callback as Callback)
        return undefined
      }
    })
  })
  return { taken, isTold: () => served !== undefined }
}

/** Calls `take` once: when the returned function is called, or before that, when the application boots. */
function beforeReady<T>(app: Deployed, take: (app: Deployed) => T): () => T {
  const { ready } = app
  let taken: { readonly value: T } | undefined
  const takeOnce = (): T => (taken ??= { value: take(app) }).value
  app.ready = (...args) => {
    app.ready = ready
    takeOnce()
    return ready.apply(app, args)
  }
  return takeOnce
}
