import { createBoot } from '../adapter/hosted/boot.ts'
import type { FetchHandler } from '../fetch.ts'
import type { Application, Start, WebEntry } from './application.ts'
import { providedBy, untilBooted } from './application.ts'

interface WebOptions extends WebEntry {
  readonly start: Start | { readonly kind: 'itself'; readonly exportsFetch?: true }
  toFetch(app: Application): FetchHandler
}

/** The default export of a deployment for the web. */
interface WebApplication {
  /** Answers a request once the application has booted. */
  readonly fetch: FetchHandler
  /** Resolves once the application has booted: with the application, if its entry doesn't export `fetch`. */
  ready(): Promise<unknown>
}

/**
 * Boots the application at once, but doesn't wait for it: service workers refuse modules with top-level `await`. If it fails, `fetch`
 * and `ready` reject with the error, and the next call boots again.
 */
export function webOf(options: WebOptions): WebApplication {
  const { entry, run, start, toFetch } = options
  const booted = untilBooted(options, boot)
  // The next call boots again, and rejects with the error if that fails too.
  booted().catch(() => undefined)
  return {
    fetch: async (...args) => (await booted()).handle(...args),
    ready: async () => (await booted()).app,
  }

  async function boot(): Promise<{ readonly app?: Application; readonly handle: FetchHandler }> {
    await run?.()
    if (start.kind === 'itself' && start.exportsFetch) {
      const { default: exported } = entry as { readonly default: { readonly fetch: FetchHandler } }
      return { handle: (...args) => exported.fetch(...args) }
    }
    const { app } = await providedBy(options)
    await createBoot(app)()
    return { app, handle: toFetch(app) }
  }
}
