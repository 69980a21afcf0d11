import type { Place } from '../errors/caller-place.ts'
import type { LoadFunctions } from '../compiled/model.ts'
import type { Context, ContextSettings } from '../context/index.ts'
import { contextOf, settingsOf } from '../context/index.ts'
import { ErrorHandler } from '../serve/error-handler.ts'
import type { Instance, RouteHandler, RouteOptions } from '../serve/model.ts'
import type { NotFound } from './not-found.ts'
import {
  formatSchemaErrors,
  RouteContext,
  type RouteConfig,
  type RouteSource,
} from '../serve/route-context.ts'
import { copyWithHooks, setHooks } from './hooks.ts'
import { toClientError } from '../compiled/faults.ts'
import { loadRoute, prepareRoute } from './bind-schemas.ts'
import { kDecorated, kParentClass } from '../serve/symbols.ts'

/**
 * A declared route: its options, and the settings of its context.
 *
 * Its `RouteContext` is created when needed, usually by the first request: a process may declare thousands of routes and serve a few.
 */
export class DeclaredRoute implements RouteSource {
  // `declare` and `private`, because field definitions and `#private` fields double the time for thousands of routes.
  declare readonly instance: Instance
  /** The context of `instance`. */
  declare readonly scope: Context
  declare options: RouteOptions
  declare readonly method: string | string[]
  /** The URL of the declaration. An `onRoute` hook may have changed the route's. */
  declare readonly url: string
  declare readonly schema: RouteOptions['schema']
  declare readonly handler: RouteHandler
  /** The user's config with `url` and `method`, or `null` if there is none. */
  declare private readonly config: RouteConfig | null
  declare private readonly exposesHead: boolean
  declare private readonly notFound: NotFound
  /** `file:line:column`. Only recorded if the artifact doesn't have it. */
  declare readonly declaredAt: Place | undefined
  declare private settingsWhenDeclared: ContextSettings
  /** `null` until the plugins before it are loaded. */
  declare private settingsWhenLoaded: ContextSettings | null
  /** True if everything is declared, so that all hooks are known. */
  declare private isFinished: boolean
  /** Loads the functions before the first request. `null` once all are loaded. */
  declare private loadFunctions: LoadFunctions | null
  declare context: RouteContext | null

  constructor(
    instance: Instance,
    options: RouteOptions,
    url: string,
    exposesHead: boolean,
    declaredAt: Place | undefined,
    notFound: NotFound,
  ) {
    const { method, config } = options
    this.instance = instance
    this.scope = contextOf(instance)
    this.options = options
    this.method = method
    this.url = url
    this.schema = options.schema
    this.handler = options.handler
    this.config = config ? { ...config, url, method } : null
    this.exposesHead = exposesHead
    this.notFound = notFound
    this.declaredAt = declaredAt
    this.settingsWhenDeclared = settingsOf(this.scope)
    this.settingsWhenLoaded = null
    this.isFinished = false
    this.loadFunctions = null
    this.context = null
  }

  /** Called by the plugin queue in the order of registration. */
  run(): void {
    this.settingsWhenLoaded = settingsOf(this.scope)
    this.scope.app.preReady.push(this)
  }

  /** Called when all plugins are loaded: binds or compiles the schemas. */
  finish(): void {
    this.isFinished = true
    this.options = copyWithHooks(this.options)
    this.loadFunctions = prepareRoute(this)
    if (this.loadFunctions !== null && this.context !== null) this.context.loader = this
  }

  /** After a failed start, makes all requests fail with its error. Without a schema the route is served, with its hooks. */
  refuse(error: unknown): void {
    if (!this.schema) return this.finish()
    const refusal = {
      load(): void {
        throw toClientError(error)
      },
    }
    this.context ??= this.createContext()
    this.context.loader = refusal
  }

  /** Returns the route context, created if necessary. Until all hooks are known, returns a temporary one that answers with an error. */
  getContext(): RouteContext {
    if (this.context !== null) return this.context
    const context = this.createContext()
    if (this.isFinished) {
      context.notFound = this.notFound.contextFor(this.scope, context.onSend)
      this.context = context
    } else {
      context.loader = unfinished
    }
    return context
  }

  /** Loads the functions before the first request. @throws FST_ERR_AOT_* */
  load(): void {
    if (this.loadFunctions !== null) loadRoute(this, this.loadFunctions)
    this.loadFunctions = null
    this.getContext().loader = null
  }

  /** Creates a route context from what is declared so far. */
  createContext(): RouteContext {
    const { instance, options, url, method } = this
    const route = new RouteContext(instance, options, this.config ?? { url, method })
    const { errorHandler, schemaErrorFormatter } = options
    const settings = this.settingsWhenLoaded ?? this.settingsWhenDeclared
    route.schema = this.schema
    route.handler = this.handler
    // As in Fastify, the one of the declaration, whatever the plugin sets later.
    route.childLoggerFactory =
      options.childLoggerFactory ?? this.settingsWhenDeclared.childLoggerFactory
    route.errorHandler = errorHandler
      ? new ErrorHandler(errorHandler, settings.errorHandler)
      : settings.errorHandler
    route.bodyLimit = options.bodyLimit || null
    route.logLevel = options.logLevel as string
    route.replySerializer = settings.replySerializer
    route.schemaErrorFormatter =
      schemaErrorFormatter ||
      settings.schemaErrorFormatter ||
      this.settingsWhenDeclared.schemaErrorFormatter ||
      // Not the current one of the context: this may run long after.
      formatSchemaErrors
    route.exposeHeadRoute = this.exposesHead
    route.prefixTrailingSlash = options.prefixTrailingSlash || 'both'
    if (this.isFinished) this.complete(route)
    return route
  }

  private complete(route: RouteContext): void {
    setHooks(route, this.scope, this.options)
    // A context without decorators uses the classes of its parent, so that V8 optimizes fewer classes.
    while (!route.Request[kDecorated] && route.Request[kParentClass]) {
      route.Request = route.Request[kParentClass]
    }
    while (!route.Reply[kDecorated] && route.Reply[kParentClass]) {
      route.Reply = route.Reply[kParentClass]
    }
    if (this.loadFunctions !== null) route.loader = this
  }
}

/** If the plugin of a route fails, and an `after` callback takes the error, requests must not skip hooks and validation. */
const unfinished = {
  load(): void {
    throw new Error('This route is not loaded, because its plugin has failed')
  },
}
