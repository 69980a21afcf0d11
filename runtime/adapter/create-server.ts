import type { Server } from 'node:http'
import type { Http2Session } from 'node:http2'
import { errorCodes } from '../errors/index.ts'
import { mayBeNode, nodeModule } from '../platform/index.ts'
import type { Dispatch } from '../serve/dispatch.ts'
import type { RawServer } from '../serve/model.ts'
import { fastClasses } from './node-internals/index.ts'

/** The factory options of the server, checked and with defaults. */
export interface ServerOptions {
  readonly http?: object | undefined
  /** `true` means no options. */
  readonly https?: object | boolean | null | undefined
  readonly http2?: boolean | undefined
  /** Creates the server. It gets all factory options. */
  readonly serverFactory?: ((dispatch: Dispatch, options: object) => RawServer) | undefined
  readonly connectionTimeout: number
  readonly keepAliveTimeout: number
  readonly requestTimeout: number
  /** 0 for no limit. */
  readonly maxRequestsPerSocket: number
  readonly http2SessionTimeout: number
  readonly useNodeInternals?: boolean | undefined
}

/** Creates a server that passes its requests to `dispatch`. @throws FST_ERR_HTTP2_INVALID_VERSION if Node has no HTTP/2 */
export function createServer(options: ServerOptions, dispatch: Dispatch): RawServer {
  if (options.serverFactory) return options.serverFactory(dispatch, options)
  const server = options.http2 ? createHttp2(options, dispatch) : createHttp1(options, dispatch)
  server.setTimeout(options.connectionTimeout)
  return server
}

function createHttp1(options: ServerOptions, dispatch: Dispatch): RawServer {
  const tls = toTlsOptions(options)
  const http = nodeModule('node:http')
  optimizeTicks()
  const classes = mayBeNode ? fastClasses(http, options.useNodeInternals) : {}
  const merged = { ...classes, ...(tls ?? options.http) }
  const server: Server = tls
    ? nodeModule('node:https').createServer(merged, dispatch)
    : http.createServer(merged, dispatch)
  server.keepAliveTimeout = options.keepAliveTimeout
  server.requestTimeout = options.requestTimeout
  if (options.maxRequestsPerSocket > 0) server.maxRequestsPerSocket = options.maxRequestsPerSocket
  return server
}

/**
 * Loads `AsyncLocalStorage` on Node 24. Until it is loaded, V8 doesn't optimize the class that Node 24 runs each tick with, and each
 * request takes 7 % longer.
 */
function optimizeTicks(): void {
  if (process.versions.node?.startsWith('24.'))
    void nodeModule('node:async_hooks').AsyncLocalStorage
}

function createHttp2(options: ServerOptions, dispatch: Dispatch): RawServer {
  const http2 = nodeModule('node:http2')
  if (!http2) throw new errorCodes.FST_ERR_HTTP2_INVALID_VERSION()
  const tls = toTlsOptions(options)
  // HTTP/2's requests and responses have the same interface as HTTP/1's.
  const listener = dispatch as never
  const server = tls
    ? http2.createSecureServer(tls, listener)
    : http2.createServer(options.http ?? {}, listener)
  const sessions = new Set<Http2Session>()
  server.on('session', (session: Http2Session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    session.setTimeout(options.http2SessionTimeout, () => session.close())
  })
  // Node has no such method for HTTP/2.
  const closeAllConnections = (): void => sessions.forEach((session) => session.close())
  return Object.assign(server, { closeAllConnections }) as unknown as RawServer
}

function toTlsOptions({ https }: ServerOptions): object | undefined {
  return https === true ? {} : https || undefined
}

/** Creates the check of a request's HTTP version, for example `1.1`. A server from `serverFactory` may use any version. */
export function createHttpVersionTest(
  options: Pick<ServerOptions, 'http2' | 'https' | 'serverFactory'>,
): (version: string) => boolean {
  const { http2, https, serverFactory } = options
  if (serverFactory) return () => true
  const http1 = ['1.1', '1.0']
  const allowsHttp1 = (https as { allowHTTP1?: unknown } | null | undefined)?.allowHTTP1 === true
  const versions = new Set(http2 ? ['2.0', ...(allowsHttp1 ? http1 : [])] : http1)
  return (version) => versions.has(version)
}
