/** The tracing channel `fastify.request.handler`. */
import { tracingChannel } from '../../platform/index.ts'
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

let channels: Channels | undefined
const stores = new WeakMap<Reply, Store>()

export const tracing: Tracing = {
  run(request, reply, handle) {
    const { config, notFound } = request[kRoute]
    const channels = getChannels()
    // A 404 handler isn't traced.
    if (notFound === null || channels === undefined || !hasSubscribers(channels)) {
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
    channels.start.runStores(store, () => {
      try {
        handle()
      } finally {
        channels.end.publish(store)
      }
    })
  },

  onError(reply, error) {
    const store = stores.get(reply)
    if (store === undefined) return
    store.error = error
    setErrorStatus(reply, error)
    getChannels()?.error.publish(store)
  },

  onPromise(reply) {
    const store = stores.get(reply)
    if (store !== undefined) store.async = true
  },

  settle(reply, next) {
    const store = stores.get(reply)
    const channels = getChannels()
    if (store === undefined || channels === undefined) {
      next()
      return
    }
    channels.asyncStart.publish(store)
    next()
    channels.asyncEnd.publish(store)
  },
}

/** Returns `undefined` on platforms without channels. */
function getChannels(): Channels | undefined {
  channels ??= tracingChannel('fastify.request.handler') as Channels | undefined
  return channels
}

function hasSubscribers({ start, end, error, asyncStart, asyncEnd }: Channels): boolean {
  return [start, end, error, asyncStart, asyncEnd].some((channel) => channel.hasSubscribers)
}

/** Sets the status, unless the handler has set another one than 200, before subscribers read it. */
function setErrorStatus(reply: Reply, error: Failure): void {
  if (!reply[kReplyHasStatusCode] || reply.statusCode === 200) reply.code(statusOf(error))
}
