import type { FetchHandler } from '../fetch.ts'
import type { Application, Start } from './application.ts'
import { applicationOf } from './application.ts'
import type { InterceptedListen } from './intercept-listen.ts'

export interface WebOptions {
  /** The exports of the entry. */
  readonly entry: object
  /** Runs the statements of an entry with a top-level `await`. */
  readonly run: (() => Promise<void>) | undefined
  readonly start: Start | { readonly kind: 'itself'; readonly exportsFetch?: true }
  /** Used if the entry starts itself. */
  readonly listening: InterceptedListen<{ readonly app: Application }>
  create(): unknown
  toFetch(app: Application): FetchHandler
}

/** The default export of a deployment for the web. */
export interface WebApplication {
  /** Answers a request once the application has booted. */
  readonly fetch: FetchHandler
  /** Resolves with the application once it has booted. */
  ready(): Promise<unknown>
}

/**
 * Boots the application at once, but doesn't wait for it: service workers refuse modules with top-level `await`. If it fails, `fetch`
 * and `ready` reject with the error.
 */
export function webOf({
  entry,
  run,
  start,
  listening,
  create,
  toFetch,
}: WebOptions): WebApplication {
  const booted = boot()
  return {
    fetch: async (...args) => (await booted).handle(...args),
    ready: async () => (await booted).app,
  }

  async function boot(): Promise<{ readonly app?: Application; readonly handle: FetchHandler }> {
    if (start.kind === 'itself' && start.exportsFetch) {
      const { default: own } = entry as { readonly default: { readonly fetch: FetchHandler } }
      return { handle: (...args) => own.fetch(...args) }
    }
    await run?.()
    const { app } = await (start.kind === 'itself'
      ? listening.result
      : applicationOf(entry, start, create))
    await app.ready()
    return { app, handle: toFetch(app) }
  }
}
