import type { FetchHandler } from '../fetch.ts'
import type { Deployed, Start } from './application.ts'
import { applicationOf } from './application.ts'
import type { Listening } from './listening.ts'

export interface WebOptions {
  /** All that the entry exports. */
  readonly entry: object
  readonly start: Start | { readonly kind: 'itself' }
  /** What is told to listen, if the entry starts by itself. */
  readonly listening: Listening<{ readonly app: Deployed }>
  create(): unknown
  toFetch(app: Deployed): FetchHandler
}

/** What a page, a service worker or an edge calls. */
export interface WebApplication {
  /** Answers a request once the application has been booted. */
  readonly fetch: FetchHandler
  /** Resolves with the application once it has been booted. */
  ready(): Promise<unknown>
}

/**
 * The default export of a deployment for the web. It boots at once, without being waited for: service workers refuse modules
 * that await. If it fails, whoever asks gets its error.
 */
export function webOf({ entry, start, listening, create, toFetch }: WebOptions): WebApplication {
  const booted = boot()
  return {
    fetch: async (...args) => (await booted).handle(...args),
    ready: async () => (await booted).app,
  }

  async function boot(): Promise<{ readonly app: Deployed; readonly handle: FetchHandler }> {
    const { app } = await (start.kind === 'itself'
      ? listening.taken
      : applicationOf(entry, start, create))
    await app.ready()
    return { app, handle: toFetch(app) }
  }
}
