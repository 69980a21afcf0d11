/** The methods of an application that a deployment uses. */
export interface Application {
  ready(): PromiseLike<unknown>
  listen(...args: readonly unknown[]): Promise<string> | undefined
  close(): PromiseLike<unknown>
  register(plugin: unknown): unknown
  routing(request: never, response: never): void
}

/** How the entry provides its application, as the build has found out. */
export interface Start {
  readonly kind: 'instance' | 'factory' | 'class' | 'plugin'
  /** The exported name, then the names of members. */
  readonly path: readonly string[]
}

type Callable = (...args: unknown[]) => unknown

/** Returns the application of an entry, in an object: an instance is a thenable that boots when it's awaited. */
export async function applicationOf(
  entry: object,
  { kind, path }: Start,
  create: () => unknown,
): Promise<{ readonly app: Application }> {
  let value: unknown = entry
  for (const name of path) value = (value as Record<string, unknown>)[name]
  switch (kind) {
    case 'instance':
      return { app: value as Application }
    case 'plugin': {
      const app = create() as Application
      app.register(value)
      return { app }
    }
    case 'factory':
    case 'class': {
      const make = value as Callable
      // Options are unknown, so every parameter gets an empty object.
      const args = Array.from({ length: make.length }, () => ({}))
      const made = kind === 'class' ? Reflect.construct(make, args) : make(...args)
      const app = applicationIn(made) ?? applicationIn(await made)
      if (app === undefined) {
        throw new TypeError(`"${path.join('.')}" of the entry doesn't return an application`)
      }
      return { app }
    }
  }
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
