import type { FetchSettings } from '../adapter/fetch/request.ts'
import type { FetchHandler } from '../fetch.ts'
import { deploymentErrorCodes } from '../errors/index.ts'
import type { Application, Start } from './application.ts'
import { applicationOf } from './application.ts'
import type { InterceptedListen } from './intercept-listen.ts'
import type { Refusals } from './refusals.ts'
import { workerEvents } from './worker-events.ts'

export interface WorkerOptions {
  /** The exports of the entry. */
  readonly entry: Readonly<Record<string, unknown>>
  /** Runs the statements of an entry with a top-level `await`. */
  readonly run: (() => Promise<void>) | undefined
  readonly start: Start | { readonly kind: 'itself' }
  /** Used if the entry starts itself. */
  readonly listening: InterceptedListen<{ readonly app: Application }>
  readonly refusals: Refusals
  /** Boots when the Worker starts instead of for its first request. */
  readonly bootsAtStart: boolean
  create(): unknown
  toFetch(app: Application, options: FetchSettings): FetchHandler
}

/**
 * Returns the default export of a Worker: the entry's application as `fetch`, and the entry's handlers for other events. An entry that
 * is a Worker itself is returned as it is.
 */
export async function workerOf(options: WorkerOptions): Promise<unknown> {
  const { refusals } = options
  try {
    return await createWorker(options)
  } catch (error) {
    if (!refusals.explain(error)) throw error
    const cause = error as Error
    throw new deploymentErrorCodes.FST_ERR_DEPLOY_BOOT_REFUSED(cause.message, { cause })
  } finally {
    refusals.end()
  }
}

async function createWorker(options: WorkerOptions): Promise<unknown> {
  const { entry, run, start, listening, bootsAtStart, create } = options
  if (bootsAtStart) await run?.()
  const { default: own } = entry
  if (isWorker(own)) return own
  const handlers = { ...handlersOf(own), ...handlersOf(entry) }
  const serve = async (): Promise<FetchHandler> => {
    if (!bootsAtStart) await run?.()
    const { app } = await (start.kind === 'itself'
      ? listened(listening)
      : applicationOf(entry, start, create))
    if (bootsAtStart && start.kind !== 'itself') await app.ready()
    return options.toFetch(app, { clientAddress, readsAddressLate: true })
  }
  // Doesn't wait for a `listen` that is called later, or never.
  if (bootsAtStart && (start.kind !== 'itself' || listening.isCalled()))
    return { ...handlers, fetch: await serve() }
  let served: Promise<FetchHandler> | undefined
  return { ...handlers, fetch: async (...args: Call) => (await (served ??= serve()))(...args) }
}

/** workerd doesn't report unhandled rejections of a start: without this error, it would only say that the code has hung. */
async function listened<T>(listening: InterceptedListen<T>): Promise<T> {
  if (!listening.isCalled()) await new Promise((resolve) => setTimeout(resolve))
  if (!listening.isCalled()) throw new deploymentErrorCodes.FST_ERR_DEPLOY_NOT_LISTENING()
  return listening.result
}

type Call = Parameters<FetchHandler>

/** Returns the address that the platform itself provides. */
function clientAddress(request: Request): string | null | undefined {
  const { cf = {} } = request as { cf?: { readonly clientIp?: string; readonly colo?: string } }
  // workerd on its own provides address and port; Cloudflare, which sets `colo`, a header.
  if (cf.clientIp !== undefined) return cf.clientIp.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  return cf.colo === undefined ? undefined : request.headers.get('cf-connecting-ip')
}

function handlersOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {}
  const all = value as Record<string, unknown>
  return Object.fromEntries(
    workerEvents.filter((name) => typeof all[name] === 'function').map((name) => [name, all[name]]),
  )
}

/** Checks for an object with `fetch`, or a class with that method. */
function isWorker(value: unknown): boolean {
  const prototype: unknown = typeof value === 'function' ? value.prototype : value
  if (typeof prototype !== 'object' || prototype === null) return false
  return typeof (prototype as { fetch?: unknown }).fetch === 'function'
}
