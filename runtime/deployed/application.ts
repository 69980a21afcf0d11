/** What a deployment needs of an application. */
export interface Deployed {
  ready(): PromiseLike<unknown>
  listen(...args: readonly unknown[]): Promise<string> | undefined
  close(): PromiseLike<unknown>
  register(plugin: unknown): unknown
  routing(request: never, response: never): void
}

/** How an entry comes to its application; the build has found that out. */
export interface Start {
  readonly kind: 'instance' | 'factory' | 'class' | 'plugin'
  /** What the entry exports: the name, then that of a member. */
  readonly path: readonly string[]
}

type Callable = (...args: unknown[]) => unknown

/** The application behind what an entry exports. Not awaited: an instance is a thenable that boots. */
export async function applicationOf(
  entry: object,
  { kind, path }: Start,
  create: () => unknown,
): Promise<{ readonly app: Deployed }> {
  let value: unknown = entry
  for (const name of path) value = (value as Record<string, unknown>)[name]
  switch (kind) {
    case 'instance':
      return { app: value as Deployed }
    case 'plugin': {
      const app = create() as Deployed
      app.register(value)
      return { app }
    }
    case 'factory':
    case 'class': {
      const make = value as Callable
      // Nobody is there to say more.
      const args = Array.from({ length: make.length }, () => ({}))
      const made = kind === 'class' ? Reflect.construct(make, args) : make(...args)
      const app = applicationIn(made) ?? applicationIn(await made)
      if (app === undefined) {
        throw new TypeError(`"${path.join('.')}" of the entry gives no application`)
      }
      return { app }
    }
  }
}

/** An instance, or the one in an object. */
function applicationIn(value: unknown): Deployed | undefined {
  if (isApplication(value)) return value
  if (typeof value !== 'object' || value === null) return undefined
  return Object.values(value).find(isApplication)
}

function isApplication(value: unknown): value is Deployed {
  if (typeof value !== 'object' || value === null) return false
  const { ready, listen, routing } = value as Partial<Record<keyof Deployed, unknown>>
  return [ready, listen, routing].every((member) => typeof member === 'function')
}
