import type { Application } from '../context/application.ts'
import { errorCodes } from '../errors/index.ts'
import { supportedHooks } from '../context/hooks.ts'
import { assertNotStarted } from './schema.ts'
import { supportedMethods } from '../route/methods.ts'
import type { Instance, RouteHandler } from '../serve/model.ts'
import type { NotFound, NotFoundOptions } from '../route/not-found.ts'
import type { GivenRouteOptions, RouteRegistry } from '../route/index.ts'
import type { PrettyPrintOptions } from '../router/index.ts'
import { emitWarning } from '../errors/warnings.ts'

type Shorthand = <This extends Instance>(
  this: This,
  url: unknown,
  options?: GivenRouteOptions | RouteHandler,
  handler?: RouteHandler,
) => This

type DefaultRoute = Application['router']['defaultRoute']

interface PrintOptions extends PrettyPrintOptions {
  includeHooks?: boolean
}

/** Creates the methods that declare routes. */
export function createRouteMethods(
  app: Application,
  registry: RouteRegistry,
  notFound: NotFound,
): Record<string, unknown> {
  const { router } = app

  return {
    delete: shorthand('DELETE'),
    get: shorthand('GET'),
    head: shorthand('HEAD'),
    patch: shorthand('PATCH'),
    post: shorthand('POST'),
    put: shorthand('PUT'),
    options: shorthand('OPTIONS'),
    all: shorthand(supportedMethods),

    route<This extends Instance>(this: This, options: GivenRouteOptions): This {
      registry.add(this, options)
      return this
    },

    hasRoute({ method, url, constraints }: GivenRouteOptions): boolean {
      return router.find(method as string, url || '', constraints) !== null
    },

    setNotFoundHandler<This extends Instance>(
      this: This,
      options?: NotFoundOptions | RouteHandler,
      handler?: RouteHandler,
    ): This {
      assertNotStarted(this, 'setNotFoundHandler')
      notFound.set(this, options, handler)
      return this
    },

    addConstraintStrategy(strategy: Parameters<typeof router.addConstraintStrategy>[0]): void {
      if (app.state.started) {
        throw new errorCodes.FST_ERR_INSTANCE_ALREADY_LISTENING('Cannot add constraint strategy!')
      }
      router.addConstraintStrategy(strategy)
    },

    hasConstraintStrategy: (name: string): boolean => router.hasConstraintStrategy(name),

    printRoutes(options: PrintOptions = {}): string {
      const { includeHooks, includeMeta } = options
      if (!includeHooks) return router.prettyPrint(options)
      const more = Array.isArray(includeMeta) ? includeMeta : []
      return router.prettyPrint({ ...options, includeMeta: [...supportedHooks, ...more] })
    },

    /** @deprecated */
    getDefaultRoute(): DefaultRoute {
      emitWarning('FSTDEP014')
      return router.defaultRoute
    },

    /** @deprecated @throws FST_ERR_DEFAULT_ROUTE_INVALID_TYPE */
    setDefaultRoute(route: DefaultRoute): void {
      emitWarning('FSTDEP014')
      if (typeof route !== 'function') throw new errorCodes.FST_ERR_DEFAULT_ROUTE_INVALID_TYPE()
      router.defaultRoute = route
    },
  }

  function shorthand(method: string | readonly string[]): Shorthand {
    return function (url, options, handler) {
      registry.addShorthand(this, method, url, options, handler)
      return this
    }
  }
}
