import type { Application } from './application.ts'
import { callerPlace } from './caller-place.ts'
import { errorCodes } from './errors.ts'
import { headOnSend } from './head-route.ts'
import type { RouteEntry } from './lifecycle.ts'
import type { Instance, RouteHandler, RouteOptions } from './model.ts'
import type { NotFound } from './not-found.ts'
import { PendingRoute } from './pending-route.ts'
import {
  assertNoOtherHandler,
  assertRouteHooks,
  assertRouteOptions,
  normalizeMethod,
} from './route-checks.ts'
import { RouteContext } from './route-context.ts'
import { kContext } from './symbols.ts'
import { emitWarning } from './warnings.ts'

/** What users pass: anything, until it is checked. */
export type GivenRouteOptions = Partial<RouteOptions>

/** Declares the routes of one application. */
export interface RouteRegistry {
  /** `instance.route`. @throws FST_ERR_ROUTE_*, FST_ERR_DUPLICATED_ROUTE and others */
  add(instance: Instance, options: GivenRouteOptions): void
  /** `instance.get` and the like: `(url, handler)`, `(url, options)` or `(url, options, handler)`. */
  addShorthand(
    instance: Instance,
    method: string | readonly string[],
    url: unknown,
    options?: GivenRouteOptions | RouteHandler,
    handler?: RouteHandler,
  ): void
}

/** One declaration, which may lead to several paths and HEAD twins. */
interface Declaration {
  readonly instance: Instance
  /** As the user gave it; never changed, because the HEAD twin starts from it too. */
  readonly given: GivenRouteOptions
  /** What `onRoute` hooks may change. */
  readonly options: RouteOptions
  readonly exposesHead: boolean
  /** It is the HEAD twin of a GET route. */
  readonly isTwin: boolean
}

export function createRouteRegistry(
  app: Application,
  enterRoute: RouteEntry,
  notFound: NotFound,
): RouteRegistry {
  return { add: (instance, options) => addRoute(instance, options, false), addShorthand }

  function addShorthand(
    instance: Instance,
    method: string | readonly string[],
    url: unknown,
    options?: GivenRouteOptions | RouteHandler,
    handler?: RouteHandler,
  ): void {
    if (typeof url !== 'string') throw new errorCodes.FST_ERR_INVALID_URL(typeof url)
    if (!handler && typeof options === 'function') {
      handler = options
      options = {}
    } else if (typeof handler === 'function') {
      assertNoOtherHandler(method, url, options)
    }
    const given = { ...(options as GivenRouteOptions), method: method as string, url, path: url }
    if (handler) given.handler = handler
    addRoute(instance, given, false)
  }

  function addRoute(instance: Instance, given: GivenRouteOptions, isTwin: boolean): void {
    const options = { ...given } as RouteOptions
    const exposesHead = options.exposeHeadRoute ?? app.exposeHeadRoutes
    if (app.state.started) {
      throw new errorCodes.FST_ERR_INSTANCE_ALREADY_LISTENING('Cannot add route!')
    }
    const path = options.url || options.path || ''
    normalizeMethod(options, path)
    assertRouteOptions(options, path)

    const declaration = { instance, given, options, exposesHead, isTwin }
    const { prefix } = instance[kContext]
    if (path !== '/' || prefix === '' || options.method === 'HEAD') {
      addPath(declaration, path[0] === '/' && prefix.endsWith('/') ? path.slice(1) : path)
    } else if (options.prefixTrailingSlash === 'slash') {
      addPath(declaration, '/')
    } else {
      const { prefixTrailingSlash } = options
      addPath(declaration, '')
      if (prefixTrailingSlash !== 'no-slash' && isOtherWithSlash(prefix)) {
        addPath(declaration, '/', true)
      }
    }
  }

  /** Whether `/prefix/` is another path than `/prefix`. */
  function isOtherWithSlash(prefix: string): boolean {
    const { ignoreTrailingSlash, ignoreDuplicateSlashes } = app.options
    if (ignoreTrailingSlash === true) return false
    return ignoreDuplicateSlashes !== true || !prefix.endsWith('/')
  }

  /** @param isSecond the same route once more: `onRoute` hooks know of it already */
  function addPath(declaration: Declaration, routePath: string, isSecond = false): void {
    const { instance, given, options, exposesHead, isTwin } = declaration
    const context = instance[kContext]
    const url = context.prefix + routePath
    options.url = url
    options.path = url
    options.routePath = routePath
    options.prefix = context.prefix
    options.logLevel ||= context.logLevel
    if (context.logSerializers || options.logSerializers) {
      options.logSerializers = Object.assign(
        Object.create(context.logSerializers) as object,
        options.logSerializers,
      )
    }
    options.attachValidation ??= false
    if (!isSecond) for (const hook of context.hooks.onRoute) hook.call(instance, options)
    assertRouteHooks(options)

    const route = new RouteContext(instance, options, {
      ...options.config,
      url,
      method: options.method,
    })
    route.exposeHeadRoute = exposesHead
    route.prefixTrailingSlash = options.prefixTrailingSlash || 'both'
    route.isTwin = isTwin
    if (route.schema && !app.compilers.knowPlaces) route.declaredAt = callerPlace()
    const constraints = options.constraints || {}
    if (options.version) {
      emitWarning('FSTDEP008')
      constraints.version = options.version
    }
    const wantsTwin = exposesHead && given.method === 'GET'
    const hasHead = (wantsTwin || given.exposeHeadRoute) && findsHead(url, constraints)
    addToRouter(route, options, constraints)

    const pending = new PendingRoute(route, instance, options, url)
    app.boot.defer(() => {
      pending.settle()
      app.preReady.push(() => pending.finish(notFound))
    })

    if (wantsTwin && !hasHead) {
      const { onSend } = given
      const twin = { ...given, method: 'HEAD', url: routePath, path: routePath }
      addRoute(instance, { ...twin, onSend: headOnSend(onSend) }, true)
    } else if (hasHead && given.exposeHeadRoute) {
      emitWarning('FSTDEP007')
    }
  }

  /** Whether a HEAD request for that path would be answered already, be it by a route with parameters. */
  function findsHead(url: string, constraints: Record<string, unknown>): boolean {
    const found = app.router.find('HEAD', url, constraints)
    // A path that is no valid URL finds a handler without a route.
    return found !== null && found.store !== null
  }

  function addToRouter(
    route: RouteContext,
    { method, url }: RouteOptions,
    constraints: Record<string, unknown>,
  ): void {
    try {
      app.router.on(method, url, { constraints }, enterRoute, route)
    } catch (error) {
      // A twin gives way to a route of the user's.
      if (route.isTwin) return
      const duplicate = `Method '${String(method)}' already declared for route '${url}'`
      if ((error as Error).message.includes(duplicate)) {
        throw new errorCodes.FST_ERR_DUPLICATED_ROUTE(method, url)
      }
      throw error
    }
  }
}
