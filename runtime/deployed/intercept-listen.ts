import { deploymentErrorCodes } from '../errors/index.ts'
import { onNewApplication } from '../platform/announce.ts'
import type { Application } from './application.ts'

/** The address that `listen` returns, because clients don't connect to the application itself. */
const ADDRESS = 'http://localhost'

type Callback = (error: unknown, address?: string) => void

/** The result of `interceptListen`. */
export interface InterceptedListen<T> {
  /** Resolves with the result of `use` for the application that listens: if `listen` boots it, after the boot. */
  readonly result: Promise<T>
  isCalled(): boolean
  /** Forgets the application that has listened: the entry runs again and creates another one. */
  reset(): void
}

/** Excludes instances: a promise for an instance would boot it. */
type NotThenable = object & { readonly then?: never }

/**
 * Replaces `listen` of all applications that are created from now on: the platform has the socket, and `listen` chooses the application
 * to serve. `use` is called with each application that listens or boots, before it boots. Only the result for the one that listens is
 * returned.
 *
 * @param bootsNow whether `listen` boots the application, as on Node
 */
export function interceptListen<T extends NotThenable>(
  bootsNow: boolean,
  use: (app: Application) => T,
): InterceptedListen<T> {
  let served: Application | undefined
  let take: (booted: Promise<T>) => void
  let result: Promise<T>
  const reset = (): void => {
    served = undefined
    result = new Promise((resolve) => (take = resolve))
  }
  reset()
  onNewApplication((created) => {
    const app = created as Application
    const useOnce = beforeReady(app, use)
    exposeAddress(app, () => served === app)
    app.listen = (...args: readonly unknown[]) => {
      if (served !== undefined && served !== app) {
        throw new deploymentErrorCodes.FST_ERR_DEPLOY_SECOND_APPLICATION()
      }
      served = app
      const value = useOnce()
      const booted = bootsNow ? Promise.resolve(app.ready()) : Promise.resolve()
      take(booted.then(() => value))
      const callback = args.at(-1)
      if (typeof callback !== 'function') return booted.then(() => ADDRESS)
      booted.then(() => (callback as Callback)(null, ADDRESS), callback as Callback)
      return undefined
    }
  })
  return {
    get result() {
      return result
    },
    isCalled: () => served !== undefined,
    reset,
  }
}

/**
 * Makes `server.address()` return the address of `listen`, because the server itself doesn't listen. From the beginning, since the
 * application may keep the server.
 */
function exposeAddress(app: Application, isListening: () => boolean): void {
  const get = Object.getOwnPropertyDescriptor(app, 'server')?.get
  const address = () => (isListening() ? { address: '127.0.0.1', family: 'IPv4', port: 80 } : null)
  Object.defineProperty(app, 'server', {
    get: () => Object.assign(get?.call(app) as object, { address }),
    configurable: true,
    enumerable: true,
  })
}

/** Calls `use` once: when the returned function is called, or earlier if the application boots. */
function beforeReady<T>(app: Application, use: (app: Application) => T): () => T {
  const { ready } = app
  let used: { readonly value: T } | undefined
  const useOnce = (): T => (used ??= { value: use(app) }).value
  app.ready = (...args) => {
    app.ready = ready
    useOnce()
    return ready.apply(app, args)
  }
  return useOnce
}
