/** What an application under `framework dev` loads first: told to end, it answers what it has begun with, and closes. */
import { subscribe } from 'node:diagnostics_channel'

interface Closable {
  close(): PromiseLike<unknown>
}

const apps = new Set<Closable>()
subscribe('fastify.initialization', (message) =>
  apps.add((message as { fastify: Closable }).fastify),
)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    // An application that handles the signal itself ends when it likes.
    const endsItself = process.listenerCount(signal) > 0
    void Promise.allSettled([...apps].map((app) => app.close())).then(() => {
      if (!endsItself) process.exit()
    })
  })
}
