import { ErrorHandler } from './error-handler.ts'
import type { Instance, RouteOptions } from './model.ts'
import type { NotFound } from './not-found.ts'
import type { RouteContext } from './route-context.ts'
import { hooksOf, setHooks } from './route-hooks.ts'
import { loadRoute, prepareRoute } from './route-schema.ts'
import { kContext, kDecorated, kParentClass } from './symbols.ts'

/** A declared route on its way to being ready. */
export class PendingRoute {
  // Not `#private`, which costs as much as all the rest.
  declare private readonly route: RouteContext
  declare private readonly instance: Instance
  declare private readonly options: RouteOptions
  declare private readonly url: string

  constructor(route: RouteContext, instance: Instance, options: RouteOptions, url: string) {
    this.route = route
    this.instance = instance
    this.options = options
    this.url = url
  }

  /** What was declared before it is loaded: takes over what its context has by then. */
  settle(): void {
    const route = this.route
    const options = this.options
    const context = this.instance[kContext]
    route.errorHandler = options.errorHandler
      ? new ErrorHandler(options.errorHandler, context.errorHandler)
      : context.errorHandler
    route.bodyLimit = options.bodyLimit || null
    route.logLevel = options.logLevel as string
    route.logSerializers = options.logSerializers
    route.attachValidation = options.attachValidation as boolean
    route.replySerializer = context.replySerializer
    route.schemaErrorFormatter =
      options.schemaErrorFormatter || context.schemaErrorFormatter || route.schemaErrorFormatter
  }

  /** Everything is loaded: takes over all hooks and decorators, and compiles the schemas. */
  finish(notFound: NotFound): void {
    const route = this.route
    const context = this.instance[kContext]
    setHooks(route, hooksOf(context), this.options)
    // A context without decorators of its own shares its parent's classes, which more requests keep hot.
    while (!route.Request[kDecorated] && route.Request[kParentClass]) {
      route.Request = route.Request[kParentClass]
    }
    while (!route.Reply[kDecorated] && route.Reply[kParentClass]) {
      route.Reply = route.Reply[kParentClass]
    }
    route.notFound = notFound.contextFor(context, route)
    if (prepareRoute(route, this.instance, this.options, this.url)) route.loader = this
  }

  /** Before the route's first request. */
  load(): void {
    loadRoute(this.route, this.instance, this.options)
    this.route.loader = null
  }
}
