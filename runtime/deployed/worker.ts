import type { FetchHandler, FetchOptions } from '../fetch.ts'
import { deploymentErrorCodes } from '../errors/index.ts'
import type { Deployed, Start } from './application.ts'
import { applicationOf } from './application.ts'
import type { Listening } from './listening.ts'

/** What a Worker may handle besides requests. */
const HANDLERS = ['alarm', 'email', 'queue', 'scheduled', 'tail', 'tailStream', 'test', 'trace']

export interface WorkerOptions {
  /** All that the entry exports. */
  readonly entry: Readonly<Record<string, unknown>>
  readonly start: Start | { readonly kind: 'itself' }
  /** What is told to listen, if the entry starts by itself. */
  readonly listening: Listening<{ readonly app: Deployed }>
  /** Whether it boots when the Worker starts, and not for its first request. */
  readonly bootsAtStart: boolean
  create(): unknown
  toFetch(app: Deployed, options: FetchOptions): FetchHandler
}

/**
 * The default export of a Worker: the application of the entry as `fetch`, and what the entry exports for other events. An
 * entry that is a Worker itself stays as it is.
 */
export async function workerOf(options: WorkerOptions): Promise<unknown> {
  const { entry, start, listening, bootsAtStart, create } = options
  const { default: own } = entry
  if (isWorker(own)) return own
  const handle = (app: Deployed): FetchHandler => options.toFetch(app, { clientAddress })
  const handlers = { ...handlersOf(own), ...handlersOf(entry) }
  if (start.kind === 'itself') {
    const served = listening.taken.then(({ app }) => handle(app))
    // Whoever is told later, or never, is not waited for.
    if (bootsAtStart && listening.isTold()) await served.catch(refused)
    return { ...handlers, fetch: async (...args: Call) => (await served)(...args) }
  }
  if (!bootsAtStart) {
    let served: Promise<FetchHandler> | undefined
    const serve = async (): Promise<FetchHandler> =>
      handle((await applicationOf(entry, start, create)).app)
    return { ...handlers, fetch: async (...args: Call) => (await (served ??= serve()))(...args) }
  }
  try {
    const { app } = await applicationOf(entry, start, create)
    await app.ready()
    return { ...handlers, fetch: handle(app) }
  } catch (cause) {
    return refused(cause)
  }
}

function refused(cause: unknown): never {
  if (!isRefusedAtStart(cause)) throw cause
  throw new deploymentErrorCodes.FST_ERR_DEPLOY_BOOT_REFUSED(cause.message, { cause })
}

type Call = Parameters<FetchHandler>

/** Of those that the platform itself writes. */
function clientAddress(request: Request): string | null | undefined {
  const { cf = {} } = request as { cf?: { readonly clientIp?: string; readonly colo?: string } }
  // workerd by itself tells the address with the port; Cloudflare, which `colo` is a place of, tells it in a header.
  if (cf.clientIp !== undefined) return cf.clientIp.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  return cf.colo === undefined ? undefined : request.headers.get('cf-connecting-ip')
}

function handlersOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {}
  const all = value as Record<string, unknown>
  return Object.fromEntries(
    HANDLERS.filter((name) => typeof all[name] === 'function').map((name) => [name, all[name]]),
  )
}

/** An object with `fetch`, or a class whose objects have one. */
function isWorker(value: unknown): boolean {
  const prototype: unknown = typeof value === 'function' ? value.prototype : value
  if (typeof prototype !== 'object' || prototype === null) return false
  return typeof (prototype as { fetch?: unknown }).fetch === 'function'
}

/** What workerd does for requests alone: timers, random values, connections. */
function isRefusedAtStart(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('within global scope')
}
