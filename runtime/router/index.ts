import { type HttpMethod, httpMethods, isHttpMethod } from './methods.ts'
import { parseQuery } from './querystring.ts'
import { PathRouter } from './router.ts'
import type {
  RoutableRequest,
  RoutableResponse,
  RouteHandler,
  RouteOptions,
  RouterOptions,
} from './types.ts'

export type * from './types.ts'
export { type HttpMethod, httpMethods, isHttpMethod, parseQuery }

/** `router.get(path, handler, store)` or `router.get(path, options, handler)`. */
interface AddRoute<Req, Res, Store> {
  (path: string, handler: RouteHandler<Req, Res, Store>, store?: Store): void
  (path: string, opts: RouteOptions, handler: RouteHandler<Req, Res, Store>): void
}

/** A router with find-my-way 7.7's interface and semantics. */
export type Router<
  Req extends RoutableRequest = RoutableRequest,
  Res extends RoutableResponse = RoutableResponse,
  Store = unknown,
> = PathRouter<Req, Res, Store> & {
  [M in HttpMethod as Lowercase<M>]: AddRoute<Req, Res, Store>
}

for (const method of httpMethods) {
  Object.defineProperty(PathRouter.prototype, method.toLowerCase(), {
    value(this: Router, path: string, opts: RouteOptions, handler: RouteHandler) {
      this.on(method, path, opts, handler)
    },
  })
}

/** Creates an empty router. Throws if an option that has to be a function isn't one. */
export function createRouter<
  Req extends RoutableRequest = RoutableRequest,
  Res extends RoutableResponse = RoutableResponse,
  Store = unknown,
>(options: RouterOptions<Req, Res, Store> = {}): Router<Req, Res, Store> {
  return new PathRouter(options) as Router<Req, Res, Store>
}
