import type * as http from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Loose } from './loose.ts'
import type { RawServerBase } from './server.ts'

type RouterRequest<RawServer extends RawServerBase> = RawServer extends http.Server
  ? http.IncomingMessage
  : Http2ServerRequest

type RouterReply<RawServer extends RawServerBase> = RawServer extends http.Server
  ? http.ServerResponse
  : Http2ServerResponse

/** The handler that a constraint's storage keeps for each value. Opaque to the strategy. */
type RouterHandler<RawServer extends RawServerBase> = (
  req: RouterRequest<RawServer>,
  res: RouterReply<RawServer>,
  params: { [name: string]: string | undefined },
  store: Loose,
  searchParams: { [name: string]: string },
) => Loose

/** Chooses among routes of the same method and URL by another property of the request. */
export interface ConstraintStrategy<RawServer extends RawServerBase, T = string> {
  /** The key in a route's `constraints`. */
  name: string
  /** True if a request that has a value never falls back to a route without one. */
  mustMatchWhenDerived?: boolean
  /** Creates the store of one URL, which maps the values of its routes to their handlers. */
  storage(): {
    get(value: T): RouterHandler<RawServer> | null
    set(value: T, handler: RouterHandler<RawServer>): void
    del?(value: T): void
    empty?(): void
  }
  /** Throws for a value that a route must not have. */
  validate?(value: unknown): void
  /** Returns the request's value. */
  deriveConstraint<Context>(req: RouterRequest<RawServer>, ctx?: Context): T
}
