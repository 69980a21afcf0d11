/** The 404 handlers of an application and of its contexts. */
import type { RouteSchema } from '../artifact/normalize.ts'
import type { Application } from '../context/application.ts'
import { contextOf, type Context } from '../context/index.ts'
import { ErrorHandler } from '../serve/error-handler.ts'
import { errorCodes } from '../errors/index.ts'
import { assertRouteHooks } from './checks.ts'
import { setHooks } from './hooks.ts'
import type { RouteEntry } from '../serve/lifecycle.ts'
import { answerBadUrl, createReply } from '../serve/dispatch.ts'
import type {
  ErrorHandlerFunction,
  Instance,
  RawReply,
  RawRequest,
  Reply,
  Request,
  RouteHandler,
} from '../serve/model.ts'
import { RouteContext } from '../serve/route-context.ts'
import { isHttpMethod, Router } from '../router/index.ts'

/** The options of `setNotFoundHandler`. The schema has no effect, as in Fastify. */
export interface NotFoundOptions {
  readonly config?: object | undefined
  readonly schema?: RouteSchema | undefined
  readonly errorHandler?: ErrorHandlerFunction | undefined
  readonly [more: string]: unknown
}

/** The 404 handlers of an application. */
export interface NotFound {
  /** Allows the root or a context with a prefix to set its own 404 handler. */
  allowHandler(context: Context): void
  /** `instance.setNotFoundHandler`. Without a handler, sets the default one. */
  setHandler(
    instance: Instance,
    options?: NotFoundOptions | RouteHandler,
    handler?: RouteHandler,
  ): void
  /** Returns the 404 handler for `reply.callNotFound()` in a route of the context, with the route's `onSend` hooks. */
  contextFor(context: Context, onSend: RouteContext['onSend']): RouteContext
  /** Answers a request without route. */
  handle(raw: RawRequest, response: RawReply): void
}

// 404 handlers answer all methods, so one is enough for the router. Fastify registers them for all, and its errors name the first.
const ANY = 'ACL'

export function createNotFound(app: Application, enterRoute: RouteEntry): NotFound {
  const { isVersion9, onBadUrl, onMaxParamLength } = app.line.routerOptions(app.options, () => app)
  const router: Router<RawRequest, RawReply, RouteContext> = new Router({
    onBadUrl: onBadUrl ?? ((path, raw, response) => answerBadUrl(app, path, raw, response)),
    onMaxParamLength,
    isVersion9,
    // Fastify doesn't pass the option `useSemicolonDelimiter` to this router, so find-my-way's default applies.
    isSemicolonInPath: isVersion9,
  })
  const variants = new WeakMap<RouteContext, Map<unknown, RouteContext>>()
  return { allowHandler, setHandler, contextFor, handle }

  function allowHandler(context: Context): void {
    context.notFoundOwner = context
    context.canSetNotFound = true
  }

  function setHandler(
    instance: Instance,
    options?: NotFoundOptions | RouteHandler,
    handler?: RouteHandler,
  ): void {
    const context = contextOf(instance)
    const prefix = context.prefix || '/'
    if (!context.canSetNotFound) {
      throw new Error(`Not found handler already set for Fastify instance with prefix: '${prefix}'`)
    }
    if (typeof options === 'function') {
      handler = options
      options = undefined
    }
    if (handler) {
      ;(context.notFoundOwner as Context).canSetNotFound = false
      handler = handler.bind(instance)
    }
    const given: NotFoundOptions = options ?? {}
    app.boot.defer({ run: () => install(context, prefix, given, handler || answerNotFound) })
  }

  /** Called in the order of registration. */
  function install(
    context: Context,
    prefix: string,
    options: NotFoundOptions,
    handler: RouteHandler,
  ): void {
    const { config, schema } = options
    const created = new RouteContext(context.instance, { schema, handler }, { ...config })
    const finish = (): void => {
      assertRouteHooks(options)
      const route = context.notFound as RouteContext
      route.genReqId = context.genReqId
      setHooks(route, context, options)
      const { errorHandler } = options
      route.errorHandler = errorHandler
        ? new ErrorHandler(errorHandler, context.errorHandler)
        : context.errorHandler
    }
    app.preReady.push({ finish })
    if (context.notFound !== null && prefix === '/') {
      // Also replaces it in contexts that have inherited the default handler.
      Object.assign(context.notFound, created)
      return
    }
    ;(context.notFoundOwner as Context).notFound = created
    router.on(ANY, prefix.endsWith('/') ? `${prefix}*` : `${prefix}/*`, {}, enterRoute, created)
    router.on(ANY, prefix, {}, enterRoute, created)
  }

  function contextFor(context: Context, onSend: RouteContext['onSend']): RouteContext {
    const original = context.notFound as RouteContext
    let byOnSend = variants.get(original)
    if (byOnSend === undefined) variants.set(original, (byOnSend = new Map()))
    let variant = byOnSend.get(onSend)
    if (variant === undefined) {
      // Inherits from the original, whose hooks may be set later.
      variant = Object.assign(Object.create(original) as RouteContext, {
        onSend,
        onSendServer: context.instance,
      })
      byOnSend.set(onSend, variant)
    }
    return variant
  }

  function handle(raw: RawRequest, response: RawReply): void {
    // Node may parse methods that the router doesn't know.
    const found = isHttpMethod(raw.method as string) ? router.find(ANY, raw.url as string) : null
    if (found === null) answerUnhandled(raw, response)
    else found.handler(raw, response, found.params, found.store as RouteContext, found.searchParams)
  }

  /** Answers requests whose method or URL the router rejects. */
  function answerUnhandled(raw: RawRequest, response: RawReply): void {
    // As in Fastify, which removes it from the request that is logged.
    if (raw.headers['accept-version'] !== undefined) raw.headers['accept-version'] = undefined
    const { notFound } = contextOf(app.root)
    const reply = createReply(app, notFound as RouteContext, raw, response)
    reply.log.info({ req: raw }, 'incoming request')
    reply.log.warn('the default handler for 404 did not catch this, please report it')
    reply.log.warn(router.prettyPrint())
    reply.code(404).send(new errorCodes.FST_ERR_NOT_FOUND())
  }
}

function answerNotFound(request: Request, reply: Reply): void {
  const { url, method } = request.raw
  const message = `Route ${method}:${url} not found`
  contextOf(request.server).app.logging.routeNotFound(request, reply)
  reply.code(404).send({ message, error: 'Not Found', statusCode: 404 })
}
