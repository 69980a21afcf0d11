/** Called with the error or the address. */
export type ListenCallback = (error: unknown, address?: string | null) => void

/** The options of Node's `server.listen`, and `listenTextResolver`. */
export interface ListenSettings {
  port?: unknown
  host?: string | null | undefined
  path?: string | null | undefined
  backlog?: unknown
  signal?: AbortSignal | undefined
  /** Returns the line that is logged. */
  listenTextResolver?: ((address: string) => string) | null | undefined
  [more: string]: unknown
}

interface ListenArguments {
  /** A copy, which may be changed. */
  readonly settings: ListenSettings
  readonly callback: ListenCallback | undefined
  /** True if one of the deprecated forms was used. */
  readonly isVariadic: boolean
}

/**
 * Reads the arguments of `listen`: `(settings?, callback?)`, or one of the deprecated forms
 * `(port, host?, backlog?, callback?)`, `(path, backlog?, callback?)` and
 * `(settings, backlog, callback)`.
 */
export function toListenArguments(args: readonly unknown[]): ListenArguments {
  const [first, ...rest] = args
  if (args.length === 0) {
    return { settings: { port: 0, host: 'localhost' }, callback: undefined, isVariadic: false }
  }
  const kind = Object.prototype.toString.call(first)
  if (kind !== '[object Object]' && kind !== '[object Function]') {
    return { ...fromPositions(args), isVariadic: true }
  }
  // Fastify passes a function to Node, which takes it for the callback and listens on any port.
  const settings: ListenSettings =
    typeof first === 'function' ? { port: 0, host: undefined } : copyOf(first as ListenSettings)
  const callback = rest.at(-1) as ListenCallback | undefined
  if (rest.length <= 1) return { settings, callback, isVariadic: false }
  const { path, port, host } = settings
  const place = path ? [path] : [port ?? 0, host ?? 'localhost']
  const positional = fromPositions([...place, ...rest])
  return { settings: { ...settings, ...positional.settings }, callback, isVariadic: true }
}

/** Copies inherited settings too, which may be accessors of a class. */
function copyOf(given: ListenSettings): ListenSettings {
  const copy: ListenSettings = { ...given }
  let holder: object = Object.getPrototypeOf(given)
  // Skip `Object.prototype`.
  while (holder !== null && Object.getPrototypeOf(holder) !== null) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (!(name in copy)) copy[name] = given[name]
    }
    holder = Object.getPrototypeOf(holder)
  }
  return copy
}

function fromPositions(args: readonly unknown[]): Omit<ListenArguments, 'isVariadic'> {
  const last = args.at(-1)
  if (typeof last !== 'function') return { settings: toSettings(args), callback: undefined }
  return { settings: toSettings(args.slice(0, -1)), callback: last as ListenCallback }
}

function toSettings(values: readonly unknown[]): ListenSettings {
  const [first, host, backlog] = values
  if (typeof first === 'string' && Number.isNaN(Number(first))) {
    return { path: first, backlog: values.length > 1 ? values.at(-1) : undefined }
  }
  return { port: toPort(first), host: (host as string) || 'localhost', backlog }
}

/** Returns integers unchanged, because Node checks them. Other values that aren't port numbers become 0: any free port. */
function toPort(value: unknown): number {
  if (Number.isInteger(value)) return value as number
  const port = Number(value)
  return Number.isInteger(port) && port >= 0 ? port : 0
}
