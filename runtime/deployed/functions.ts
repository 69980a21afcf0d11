import type { Application, Entry } from './application.ts'
import { providedBy } from './application.ts'

/** An application that hasn't booted yet, and the functions that the platform calls. */
export interface ApplicationFunctions<T> {
  readonly app: Pick<Application, 'ready'>
  readonly functions: T
}

export interface FunctionsOptions<T> extends Entry<ApplicationFunctions<T>> {
  functionsFor(app: Application): ApplicationFunctions<T>
}

/** Returns the functions that a platform calls instead of connecting to a socket, once the application has booted. */
export async function functionsOf<T>(options: FunctionsOptions<T>): Promise<T> {
  const provided = await providedBy(options)
  if ('functions' in provided) return provided.functions
  const { app, functions } = options.functionsFor(provided.app)
  await app.ready()
  return functions
}
