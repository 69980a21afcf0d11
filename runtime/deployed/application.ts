import type { EventEmitter } from 'node:events'
import type { InterceptedListen } from './intercept-listen.ts'

/** The methods of an application that a deployment uses. */
export interface Application {
  readonly server: Pick<EventEmitter, 'emit'>
  readonly initialConfig?: { readonly keepAliveTimeout?: number }
  ready(): PromiseLike<unknown>
  listen(...args: readonly unknown[]): Promise<string> | undefined
  close(): PromiseLike<unknown>
  register(plugin: unknown): unknown
  routing(request: never, response: never): void
}

/** How the entry provides its application, as the build has determined it. */
export interface Start {
  readonly kind: 'instance' | 'factory' | 'class' | 'plugin'
  /** The exported name, then the names of members. */
  readonly path: readonly string[]
  /** True if a plugin's instance gets the factory options that the entry exports, as fastify-cli does it. */
  readonly takesOptions?: boolean
}

/** The entry of a deployment, as its main module knows it. */
export interface Entry<T> {
  /** The exports of the entry. */
  readonly entry: object
  readonly start: Start | { readonly kind: 'itself' }
  /** Used if the entry starts itself. */
  readonly listening: InterceptedListen<T>
  create(options?: unknown): unknown
}

/** An entry for web platforms, which refuse or limit a top-level `await`. */
export interface WebEntry extends Entry<{ readonly app: Application }> {
  /** Runs the statements of an entry with a top-level `await`, which the bundler moved into this function. */
  readonly run: (() => Promise<void>) | undefined
}

/**
 * Creates a function that boots once, and again after a failure: what a boot waits for, such as a database, may be back then. Calls
 * during a boot share it.
 */
export function untilBooted<T>(
  { run, listening }: WebEntry,
  boot: () => Promise<T>,
): () => Promise<T> {
  let current: Promise<T> | undefined
  let hasFailed = false
  const attempt = async (): Promise<T> => {
    // Not when it fails: a promise that a Worker creates for one request can't be resolved by another one.
    if (hasFailed && run !== undefined) listening.reset()
    try {
      return await boot()
    } catch (error) {
      hasFailed = true
      current = undefined
      throw error
    }
  }
  return () => (current ??= attempt())
}

type Callable = (...args: unknown[]) => unknown

/** Returns the application of an entry, or the result of `interceptListen` for one that starts itself. */
export function providedBy<T>({
  entry,
  start,
  listening,
  create,
}: Entry<T>): Promise<T | { readonly app: Application }> {
  return start.kind === 'itself' ? listening.result : applicationOf(entry, start as Start, create)
}

/** Returns the application of an entry, in an object: an instance is a thenable that boots when it's awaited. */
export async function applicationOf(
  entry: object,
  { kind, path, takesOptions = false }: Start,
  create: (options?: unknown) => unknown,
): Promise<{ readonly app: Application }> {
  let value: unknown = entry
  for (const name of path) value = (value as Record<string, unknown>)[name]
  switch (kind) {
    case 'instance':
      return { app: value as Application }
    case 'plugin': {
      const app = create(takesOptions ? optionsOf(entry) : undefined) as Application
      app.register(value)
      return { app }
    }
    case 'factory':
    case 'class': {
      const factory = value as Callable
      // Options are unknown: parameters without a default get an empty object.
      const args = Array.from({ length: factory.length }, () => ({}))
      const result = kind === 'class' ? Reflect.construct(factory, args) : factory(...args)
      const app = applicationIn(result) ?? applicationIn(await result)
      if (app === undefined) {
        throw new TypeError(`"${path.join('.')}" of the entry doesn't return an application`)
      }
      return { app }
    }
  }
}

/**
 * Returns the exports of a CommonJS entry as the build reads them: `default` is the member of this name, as TypeScript and others compile
 * it, or else everything.
 */
export function exportsOf(exported: object): object {
  const { default: value = exported } = exported as { readonly default?: unknown }
  return Object.create(exported, { default: { value, enumerable: true } }) as object
}

/** Returns the export `options`, which is a member of the default export in CommonJS. */
export function optionsOf(entry: object): unknown {
  const { options, default: main } = entry as {
    readonly options?: unknown
    readonly default?: { readonly options?: unknown }
  }
  return options ?? main?.options
}

/** Finds an application: the value itself, or a member of it. */
function applicationIn(value: unknown): Application | undefined {
  if (isApplication(value)) return value
  if (typeof value !== 'object' || value === null) return undefined
  return Object.values(value).find(isApplication)
}

function isApplication(value: unknown): value is Application {
  if (typeof value !== 'object' || value === null) return false
  const { ready, listen, routing } = value as Partial<Record<keyof Application, unknown>>
  return [ready, listen, routing].every((member) => typeof member === 'function')
}

/** An application and its functions that the platform calls. */
interface ApplicationFunctions<T> {
  readonly app: Pick<Application, 'ready'>
  readonly functions: T
}

interface FunctionsOptions<T> extends Entry<ApplicationFunctions<T>> {
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
