import type { FetchSettings } from '../adapter/fetch/request.ts'
import { waitUntil } from '../adapter/fetch/wait-until.ts'
import { createBoot } from '../adapter/hosted/boot.ts'
import type { FetchHandler } from '../fetch.ts'
import { deploymentErrorCodes } from '../errors/index.ts'
import { providedBy, untilBooted, type Application, type WebEntry } from './application.ts'
import type { Refusals } from './refusals.ts'
import { workerEvents } from './worker-events.ts'

export interface WorkerOptions extends WebEntry {
  readonly refusals: Refusals
  /** Boots when the Worker starts instead of for its first request. */
  readonly bootsAtStart: boolean
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
  const { entry, run, start, listening, bootsAtStart } = options
  if (bootsAtStart) await run?.()
  const { default: exported } = entry as { readonly default?: unknown }
  if (isWorker(exported)) return exported
  const handlers = { ...handlersOf(exported), ...handlersOf(entry) }
  const serve = async (): Promise<FetchHandler> => {
    const runsNow = !bootsAtStart && run !== undefined
    if (runsNow) await run()
    // An entry that runs for the first request may wait for other services before it listens.
    else if (start.kind === 'itself') await assertListening(listening)
    const { app } = await providedBy(options)
    if (!bootsAtStart || start.kind !== 'itself') await createBoot(app)()
    return options.toFetch(app, { clientAddress, readsAddressLate: true, limitsLength: true })
  }
  // Doesn't wait for a `listen` that is called later, or never.
  if (bootsAtStart && (start.kind !== 'itself' || listening.isCalled()))
    return { ...handlers, fetch: await serve() }
  const served = untilBooted(options, serve)
  return {
    ...handlers,
    async fetch(...args: Call) {
      const handler = served()
      // Other requests wait for it as well, so it mustn't end with the client of this one.
      waitUntil(args, Promise.allSettled([handler]))
      return (await handler)(...args)
    },
  }
}

/** workerd doesn't report unhandled rejections of a start: without this error, it would only say that the code has hung. */
async function assertListening(listening: WorkerOptions['listening']): Promise<void> {
  if (!listening.isCalled()) await new Promise((resolve) => setTimeout(resolve))
  if (!listening.isCalled()) throw new deploymentErrorCodes.FST_ERR_DEPLOY_NOT_LISTENING()
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
