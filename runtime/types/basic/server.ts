import type * as http from 'node:http'
import type * as http2 from 'node:http2'
import type * as https from 'node:https'
import type { ByLine } from './line.ts'

/** Every kind of Node server that an instance can sit on. */
export type RawServerBase = http.Server | https.Server | http2.Http2Server | http2.Http2SecureServer

/** The server of an instance that was created without `https`, `http2` or `serverFactory`. */
export type RawServerDefault = http.Server

/** Every kind of `request.raw`. */
export type RawRequestBase = http.IncomingMessage | http2.Http2ServerRequest
/** Every kind of `reply.raw`. */
export type RawReplyBase = http.ServerResponse | http2.Http2ServerResponse

/** Type of `request.raw` for a kind of server. */
export type RawRequestDefaultExpression<RawServer = RawServerDefault> = RawServer extends
  | http2.Http2Server
  | http2.Http2SecureServer
  ? http2.Http2ServerRequest
  : http.IncomingMessage

/** Type of `reply.raw` for a kind of server. */
export type RawReplyDefaultExpression<RawServer = RawServerDefault> = RawServer extends
  | http2.Http2Server
  | http2.Http2SecureServer
  ? http2.Http2ServerResponse
  : http.ServerResponse

type StandardMethod =
  | 'COPY'
  | 'DELETE'
  | 'GET'
  | 'HEAD'
  | 'LOCK'
  | 'MKCOL'
  | 'MOVE'
  | 'OPTIONS'
  | 'PATCH'
  | 'POST'
  | 'PROPFIND'
  | 'PROPPATCH'
  | 'PUT'
  | 'QUERY'
  | 'SEARCH'
  | 'TRACE'
  | 'UNLOCK'

/** The methods that a route can have; `method: 'get'` and `method: 'GET'` are the same route. Any other in `framework/5`, after `addHttpMethod`. */
export type HTTPMethods =
  | StandardMethod
  | Lowercase<StandardMethod>
  // Any name, without losing the others in editors.
  | ByLine<never, string & Record<never, never>>

/** The listener that a `serverFactory` must attach to the server that it makes. */
export type FastifyServerFactoryHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
> = RawServer extends http.Server | https.Server
  ? (request: http.IncomingMessage & RawRequest, response: http.ServerResponse & RawReply) => void
  : (
      request: http2.Http2ServerRequest & RawRequest,
      response: http2.Http2ServerResponse & RawReply,
    ) => void

/** Makes the server in place of the default; `opts` is what the factory function was called with. */
export interface FastifyServerFactory<RawServer extends RawServerBase = RawServerDefault> {
  (handler: FastifyServerFactoryHandler<RawServer>, opts: Record<string, unknown>): RawServer
}
