/** The tracing channel `fastify.request.handler`. */
import { nodeModule } from '../../platform/index.ts'
import type { Tracing } from '../../serve/line/index.ts'
import type { Failure, Reply, Request } from '../../serve/model.ts'
import { kReplyHasStatusCode, kRoute } from '../../serve/symbols.ts'
import { statusOf } from './statuses.ts'

interface Store {
  readonly request: Request
  readonly reply: Reply
  readonly route: { readonly url: unknown; readonly method: unknown }
  async: boolean
  error?: unknown
}

interface Channel {
  readonly hasSubscribers: boolean
  publish(store: Store): void
  runStores(store: Store, run: () => void): void
}

type Channels = Record<'start' | 'end' | 'error' | 'asyncStart' | 'asyncEnd', Channel>

let made: Channels | undefined
const stores = new WeakMap<Reply, Store>()

export const tracing: Tracing = {
  run(request, reply, handle) {
    const { config, notFound } = request[kRoute]
    const { start, end } = channels()
    // A 404 handler isn't traced.
    if (notFound === null || !isTraced()) {
      handle()
      return
    }
    const store = {
      request,
      reply,
      async: false,
      route: { url: config.url, method: config.method },
    }
    stores.set(reply, store)
    start.runStores(store, () => {
      try {
        handle()
      } finally {
        end.publish(store)
      }
    })
  },

  onError(reply, error) {
    const store = stores.get(reply)
    if (store === undefined) return
    store.error = error
    setErrorStatus(reply, error)
    channels().error.publish(store)
  },

  onPromise(reply) {
    const store = stores.get(reply)
    if (store !== undefined) store.async = true
  },

  settle(reply, _error, next) {
    const store = stores.get(reply)
    if (store === undefined) {
      next()
      return
    }
    const { asyncStart, asyncEnd } = channels()
    asyncStart.publish(store)
    next()
    asyncEnd.publish(store)
  },
}

function channels(): Channels {
  made ??= nodeModule('node:diagnostics_channel').tracingChannel(
    'fastify.request.handler',
  ) as unknown as Channels
  return made
}

/** Node 20 has no `hasSubscribers` on the tracing channel itself. */
function isTraced(): boolean {
  const { start, end, error, asyncStart, asyncEnd } = channels()
  return [start, end, error, asyncStart, asyncEnd].some((one) => one.hasSubscribers)
}

/** Sets the status before listeners read it. */
function setErrorStatus(reply: Reply, error: Failure): void {
  if (!reply[kReplyHasStatusCode] || reply.statusCode === 200) reply.code(statusOf(error))
}
