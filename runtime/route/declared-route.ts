import type { Place } from '../errors/caller-place.ts'
import type { BoundFunction, BoundRoute, RouteToBind } from '../compiled/bound-route.ts'
import type { Context, ContextSettings } from '../context/index.ts'
import { settingsOf } from '../context/index.ts'
import { ErrorHandler } from '../serve/error-handler.ts'
import type {
  Instance,
  RouteHandler,
  RouteOptions,
  SerializerCompiler,
  ValidatorCompiler,
} from '../serve/model.ts'
import type { NotFound } from './not-found.ts'
import {
  formatSchemaErrors,
  RouteContext,
  type RouteConfig,
  type RouteSource,
} from '../serve/route-context.ts'
import { hooksOf, setHooks } from './hooks.ts'
import { findEach, loadRoute, prepareRoute } from './bind-schemas.ts'
import { kDecorated, kParentClass } from '../serve/symbols.ts'

/**
 * A declared route: what its declaration gave, and what its context held when it was settled.
 *
 * The record that requests are served from is made with the first of them. An application declares thousands
 * of routes at its start and serves a few.
 */
export class DeclaredRoute implements RouteSource, RouteToBind {
  // Declared and not defined, and not `#private`: either costs as much as all the rest.
  declare readonly instance: Instance
  /** The context of `instance`. */
  declare readonly scope: Context
  declare readonly options: RouteOptions
  declare readonly method: string | string[]
  /** As it was declared: an `onRoute` hook may have moved it. */
  declare readonly url: string
  declare readonly schema: RouteOptions['schema']
  declare readonly handler: RouteHandler
  /** What the user gave, with `url` and `method`; `null` when that is all there is. */
  declare private readonly config: RouteConfig | null
  declare private readonly exposesHead: boolean
  declare private readonly notFound: NotFound
  /** `file:line:column`; only known when no artifact can tell. */
  declare readonly declaredAt: Place | undefined
  declare private declaredIn: ContextSettings
  declare private settledIn: ContextSettings | null
  /** Everything is declared: the hooks of its context are all there. */
  declare private isFinished: boolean
  /** What it is to be loaded with, until that is done. */
  declare private bound: BoundRoute | null
  /** The record, once there is one. */
  declare context: RouteContext | null

  constructor(
    instance: Instance,
    scope: Context,
    options: RouteOptions,
    url: string,
    exposesHead: boolean,
    declaredAt: Place | undefined,
    notFound: NotFound,
  ) {
    const { method, config } = options
    this.instance = instance
    this.scope = scope
    this.options = options
    this.method = method
    this.url = url
    this.schema = options.schema
    this.handler = options.handler
    this.config = config ? { ...config, url, method } : null
    this.exposesHead = exposesHead
    this.notFound = notFound
    this.declaredAt = declaredAt
    this.declaredIn = settingsOf(scope)
    this.settledIn = null
    this.isFinished = false
    this.bound = null
    this.context = null
  }

  /** What was declared before it is loaded: takes over what its context has by then. */
  run(): void {
    this.settledIn = settingsOf(this.scope)
    this.scope.app.preReady.push(this)
  }

  /** Everything is loaded: binds or compiles the schemas. */
  finish(): void {
    this.isFinished = true
    this.bound = prepareRoute(this)
    if (this.bound !== null && this.context !== null) this.context.loader = this
  }

  findEach(
    validator: ValidatorCompiler | undefined,
    serializer: SerializerCompiler | undefined,
  ): readonly BoundFunction[] {
    return findEach(this, validator, serializer)
  }

  /** The record of the route; makes it. */
  getContext(): RouteContext {
    if (this.context === null) {
      this.context = this.createContext()
      if (this.isFinished) {
        this.context.notFound = this.notFound.contextFor(this.scope, this.context.onSend)
      }
    }
    return this.context
  }

  /** Before the route's first request. @throws FST_ERR_AOT_* */
  load(): void {
    if (this.bound !== null) loadRoute(this, this.bound)
    this.bound = null
    this.getContext().loader = null
  }

  /** The record as far as it is known by now, for who only looks. */
  createContext(): RouteContext {
    const { instance, options, url, method } = this
    const route = new RouteContext(instance, options, this.config ?? { url, method })
    const { errorHandler, schemaErrorFormatter } = options
    const settings = this.settledIn ?? this.declaredIn
    route.schema = this.schema
    route.handler = this.handler
    route.childLoggerFactory = options.childLoggerFactory ?? this.declaredIn.childLoggerFactory
    route.errorHandler = errorHandler
      ? new ErrorHandler(errorHandler, settings.errorHandler)
      : settings.errorHandler
    route.bodyLimit = options.bodyLimit || null
    route.logLevel = options.logLevel as string
    route.replySerializer = settings.replySerializer
    route.schemaErrorFormatter =
      schemaErrorFormatter ||
      settings.schemaErrorFormatter ||
      this.declaredIn.schemaErrorFormatter ||
      // Not what the context has by now: the record may be made long after.
      formatSchemaErrors
    route.exposeHeadRoute = this.exposesHead
    route.prefixTrailingSlash = options.prefixTrailingSlash || 'both'
    if (this.isFinished) this.complete(route)
    return route
  }

  private complete(route: RouteContext): void {
    setHooks(route, hooksOf(this.scope), this.options)
    // A context without decorators of its own shares its parent's classes, which more requests keep hot.
    while (!route.Request[kDecorated] && route.Request[kParentClass]) {
      route.Request = route.Request[kParentClass]
    }
    while (!route.Reply[kDecorated] && route.Reply[kParentClass]) {
      route.Reply = route.Reply[kParentClass]
    }
    if (this.bound !== null) route.loader = this
  }
}
