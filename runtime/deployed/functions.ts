import type { Deployed, Start } from './application.ts'
import { applicationOf } from './application.ts'
import type { Listening } from './listening.ts'

/** An application that has not been booted yet, and what the platform calls. */
export interface Taken<T> {
  readonly app: Pick<Deployed, 'ready'>
  readonly functions: T
}

export interface FunctionsOptions<T> {
  /** All that the entry exports. */
  readonly entry: object
  readonly start: Start | { readonly kind: 'itself' }
  take(app: Deployed): Taken<T>
  /** What was told to listen, if the entry starts by itself: booted. */
  readonly listening: Listening<Taken<T>>
  create(): unknown
}

/** What a platform calls instead of connecting to a socket, made of the application behind an entry. It is booted by then. */
export async function functionsOf<T>(options: FunctionsOptions<T>): Promise<T> {
  const { entry, start, listening, create } = options
  if (start.kind === 'itself') return (await listening.taken).functions
  const { app, functions } = options.take((await applicationOf(entry, start, create)).app)
  await app.ready()
  return functions
}
