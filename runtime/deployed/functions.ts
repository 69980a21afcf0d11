import type { Application, Start } from './application.ts'
import { applicationOf } from './application.ts'
import type { InterceptedListen } from './intercept-listen.ts'

/** An application that hasn't booted yet, and the functions that the platform calls. */
export interface ApplicationFunctions<T> {
  readonly app: Pick<Application, 'ready'>
  readonly functions: T
}

export interface FunctionsOptions<T> {
  /** The exports of the entry. */
  readonly entry: object
  readonly start: Start | { readonly kind: 'itself' }
  functionsFor(app: Application): ApplicationFunctions<T>
  /** Used if the entry starts itself. */
  readonly listening: InterceptedListen<ApplicationFunctions<T>>
  create(): unknown
}

/** Returns the functions that a platform calls instead of connecting to a socket, once the application has booted. */
export async function functionsOf<T>(options: FunctionsOptions<T>): Promise<T> {
  const { entry, start, listening, create } = options
  if (start.kind === 'itself') return (await listening.result).functions
  const { app, functions } = options.functionsFor((await applicationOf(entry, start, create)).app)
  await app.ready()
  return functions
}
