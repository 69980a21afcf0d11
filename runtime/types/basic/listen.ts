import type { HTTPMethods } from './server.ts'

/** Where to listen. */
export interface FastifyListenOptions {
  /** Default 0: any free port. */
  port?: number | undefined
  /** Default `localhost`, on every address that it resolves to. */
  host?: string | undefined
  /** A Unix socket or a Windows pipe; ignored when `port` is given. */
  path?: string | undefined
  /** Maximum length of the queue of pending connections. Default 511. */
  backlog?: number | undefined
  /** Do not share the port among cluster workers. Default `false`. */
  exclusive?: boolean | undefined
  /** Let every user read from the pipe. Default `false`. */
  readableAll?: boolean | undefined
  /** Let every user write to the pipe. Default `false`. */
  writableAll?: boolean | undefined
  /** Do not listen on `0.0.0.0` when the host is `::`. Default `false`. */
  ipv6Only?: boolean | undefined
  /** Closes the server when aborted. */
  signal?: AbortSignal | undefined
  /** Returns the text to log for an address. */
  listenTextResolver?: ((address: string) => string) | undefined
}

/** Options of `printRoutes`. */
export interface PrintRoutesOptions {
  /** Show only routes of this method. */
  method?: HTTPMethods | undefined
  /** Show constraints and other metadata of routes; or only these keys. */
  includeMeta?: boolean | (string | symbol)[] | undefined
  /** Split URLs where they begin to differ, instead of at slashes. Default `true`. */
  commonPrefix?: boolean | undefined
  /** Show the hooks of each route. */
  includeHooks?: boolean | undefined
}
