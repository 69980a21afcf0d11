import type { ContextConfigDefault } from './defaults.ts'
import type { HTTPMethods } from './server.ts'

/** Members of the `config` of all routes. Applications add theirs by declaration merging. */
export interface FastifyContextConfig {}

/** Members that the framework adds to a route's `config`. */
export interface FastifyRouteConfig {
  /** The route's full pattern, prefixes included. */
  url: string
  method: HTTPMethods | HTTPMethods[]
}

/** The route as `request.context` and `reply.context` show it. */
export interface FastifyContext<ContextConfig = ContextConfigDefault> {
  /** @deprecated Use `request.routeOptions.config`. */
  config: FastifyContextConfig & FastifyRouteConfig & ContextConfig
}
