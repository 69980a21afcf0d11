import { httpMethods, isHttpMethod } from './methods.ts'
import { parseQuery } from './querystring.ts'
import { Router } from './router.ts'
import type { RoutableRequest, RoutableResponse, RouterOptions } from './types.ts'

export type * from './types.ts'
export { httpMethods, isHttpMethod, parseQuery, Router }

/** Creates an empty router. Throws if an option that has to be a function isn't one. */
export function createRouter<
  Req extends RoutableRequest = RoutableRequest,
  Res extends RoutableResponse = RoutableResponse,
  Store = unknown,
>(options: RouterOptions<Req, Res, Store> = {}): Router<Req, Res, Store> {
  return new Router(options)
}
