/** Declares routes: checks their options, runs `onRoute` hooks and adds them to the router, with HEAD routes for GET routes. */
import type { Context } from '../context/index.ts'
import { contextOf } from '../context/index.ts'
import type { Application } from '../context/application.ts'
import { rememberCaller } from '../errors/caller-place.ts'
import { DeclaredRoute } from './declared-route.ts'
import type { RouteSource } from '../serve/route-context.ts'
import { errorCodes } from '../errors/index.ts'
import { headOnSend } from './head-route.ts'
import type { RouteEntry } from '../serve/lifecycle.ts'
import type { Instance, RouteHandler, RouteOptions } from '../serve/model.ts'
import type { NotFound } from './not-found.ts'
import {
  assertHandler,
  assertLogLevel,
  assertRouteHooks,
  assertRouteOptions,
  normalizeMethod,
  readShorthand,
} from './checks.ts'
import { emitWarning } from '../errors/warnings.ts'

/** The options before they are checked. */
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

/** A declaration, which may result in several paths and HEAD routes. */
interface Declaration {
  readonly instance: Instance
  readonly context: Context
  /** The user's options. Not changed, because the HEAD route is declared with them too. */
  readonly given: GivenRouteOptions
  /** A copy that `onRoute` hooks may change. */
  readonly options: RouteOptions
  readonly handler: RouteHandler
  readonly exposesHead: boolean
  readonly wantsHeadRoute: boolean
  /** True if it is the automatic HEAD route of a GET route. */
  readonly isHeadRoute: boolean
}

export function createRouteRegistry(
  app: Application,
  enterRoute: RouteEntry,
  notFound: NotFound,
): RouteRegistry {
  const { line } = app
  const { ignoreDuplicateSlashes, ignoreTrailingSlash } = app.router
  const enter: RouteEntry<RouteSource> = (raw, response, params, store, query) => {
    const route = store as RouteSource
    enterRoute(raw, response, params, route.context ?? route.getContext(), query)
  }
  return { add, addShorthand }

  function add(instance: Instance, given: GivenRouteOptions): void {
    const options = copyOptions(given)
    options.url = options.url || options.path || ''
    declare(instance, given, options, false)
  }

  function addShorthand(
    instance: Instance,
    method: string | readonly string[],
    url: unknown,
    given?: GivenRouteOptions | RouteHandler,
    handler?: RouteHandler,
  ): void {
    const read = readShorthand(method, url, given, handler)
    const options = copyOptions(read.given)
    options.method = method as string
    options.url = url as string
    if (read.handler) options.handler = read.handler
    declare(instance, read.given, options, false)
  }

  function declare(
    instance: Instance,
    given: GivenRouteOptions,
    options: RouteOptions,
    isHeadRoute: boolean,
  ): void {
    if (app.state.started) {
      throw new errorCodes.FST_ERR_INSTANCE_ALREADY_LISTENING('Cannot add route!')
    }
    const { url: path, handler } = options
    const exposesHead = options.exposeHeadRoute ?? app.options.exposeHeadRoutes
    const { method: givenMethod } = options
    if (line.checksMethodFirst) normalizeMethod(options, path, app.methods)
    assertRouteOptions(options, path, line)
    if (!line.checksMethodFirst) normalizeMethod(options, path, app.methods)
    const wantsHeadRoute = exposesHead && line.wantsHeadRoute(givenMethod, options.method)

    const context = contextOf(instance)
    const { prefix } = context
    const declaration: Declaration = {
      instance,
      context,
      given,
      options,
      handler,
      exposesHead,
      wantsHeadRoute,
      isHeadRoute,
    }
    // A HEAD route has one path: the twin is declared for each path of its GET route.
    if (path !== '/' || prefix === '' || options.method === 'HEAD') {
      addPath(declaration, path[0] === '/' && prefix.endsWith('/') ? path.slice(1) : path)
    } else if (options.prefixTrailingSlash === 'slash') {
      addPath(declaration, '/')
    } else {
      const { prefixTrailingSlash } = options
      addPath(declaration, '')
      if (prefixTrailingSlash !== 'no-slash' && distinguishesSlash(prefix)) {
        addPath(declaration, '/', true)
      }
    }
  }

  /** Returns whether the router distinguishes `/prefix/` from `/prefix`. */
  function distinguishesSlash(prefix: string): boolean {
    if (ignoreTrailingSlash === true) return false
    return ignoreDuplicateSlashes !== true || !prefix.endsWith('/')
  }

  /** @param isSecond whether this is the second path of a route, for which `onRoute` hooks don't run */
  function addPath(declaration: Declaration, routePath: string, isSecond = false): void {
    const { instance, context, given, options, exposesHead, wantsHeadRoute, isHeadRoute } =
      declaration
    const url = context.prefix + routePath
    options.url = url
    options.path = url
    options.routePath = routePath
    options.prefix = context.prefix
    options.logLevel ||= context.logLevel
    assertLogLevel(options, url, app.logger)
    if (context.logSerializers || options.logSerializers) {
      options.logSerializers = Object.assign(
        Object.create(context.logSerializers) as object,
        options.logSerializers,
      )
    }
    options.attachValidation ??= false
    if (!isSecond) for (const hook of context.hooks.onRoute) hook.call(instance, options)
    assertRouteHooks(options, line.checksRouteHooks)
    assertHandler(options, url)

    const place = options.schema && !app.compilers.knowPlaces ? rememberCaller() : undefined
    const shownUrl = isSecond && line.showsPrefix ? context.prefix : url
    const route = new DeclaredRoute(instance, options, shownUrl, exposesHead, place, notFound)
    const constraints = line.readRouteConstraints(options)
    const hasHead =
      (wantsHeadRoute || given.exposeHeadRoute) &&
      app.router.hasRoute('HEAD', options.url, constraints)
    addToRouter(route, options, constraints, isHeadRoute)
    app.boot.defer(route)

    if (wantsHeadRoute && !hasHead) {
      declareHeadRoute(declaration, routePath)
    } else if (hasHead && given.exposeHeadRoute && line.warnsOfHeadRoutes) {
      emitWarning('FSTDEP007')
    }
  }

  function declareHeadRoute({ instance, given, handler }: Declaration, url: string): void {
    const options = copyOptions(given)
    options.method = 'HEAD'
    options.url = url
    options.handler = handler
    options.onSend = headOnSend(given.onSend)
    declare(instance, given, options, true)
  }

  function addToRouter(
    route: DeclaredRoute,
    { method, url }: RouteOptions,
    constraints: RouteOptions['constraints'],
    isHeadRoute: boolean,
  ): void {
    try {
      app.router.on(method, url, constraints ? { constraints } : NO_OPTIONS, enter, route)
    } catch (error) {
      // A route of the user takes precedence over the automatic HEAD route.
      if (isHeadRoute) return
      if ((error as Error).message.includes("' already declared for route '")) {
        throw new errorCodes.FST_ERR_DUPLICATED_ROUTE(method, url)
      }
      throw error
    }
  }
}

const NO_OPTIONS = Object.freeze({})

/** Copies the options. The literal has the keys that are set for each route, because adding them one by one takes a millisecond for 150 routes. */
function copyOptions(given: GivenRouteOptions | undefined): RouteOptions {
  const options: RouteOptions = {
    method: NONE as string,
    url: '',
    path: '',
    routePath: '',
    prefix: '',
    handler: NONE as RouteHandler,
    logLevel: '',
    attachValidation: false,
  }
  return Object.assign(options, given)
}

const NONE: unknown = undefined
