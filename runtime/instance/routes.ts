import { assertNotStarted } from '../context/index.ts'
import type { Application } from '../context/application.ts'
import { errorCodes } from '../errors/index.ts'
import { supportedHooks } from '../context/hooks.ts'
import type { Instance, RouteHandler } from '../serve/model.ts'
import type { NotFound, NotFoundOptions } from '../route/not-found.ts'
import type { GivenRouteOptions, RouteRegistry } from '../route/index.ts'
import type { PrettyPrintOptions } from '../router/index.ts'

type Shorthand = <This extends Instance>(
  this: This,
  url: unknown,
  options?: GivenRouteOptions | RouteHandler,
  handler?: RouteHandler,
) => This

interface PrintOptions extends PrettyPrintOptions {
  includeHooks?: boolean
}

/** Returns the methods of an application, those without body first. */
export function methodsOf({ methods }: Application): string[] {
  const all = [...methods]
  return [
    ...all.filter(([, read]) => read === null),
    ...all.filter(([, read]) => read !== null),
  ].map(([method]) => method)
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
    all: shorthand(() => app.line.methodsOfAll ?? methodsOf(app)),

    route<This extends Instance>(this: This, options: GivenRouteOptions): This {
      registry.add(this, options)
      return this
    },

    setNotFoundHandler<This extends Instance>(
      this: This,
      options?: NotFoundOptions | RouteHandler,
      handler?: RouteHandler,
    ): This {
      assertNotStarted(this, 'setNotFoundHandler')
      notFound.setHandler(this, options, handler)
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
      const shown = supportedHooks.concat((includeMeta || []) as string[])
      return router.prettyPrint({ ...options, includeMeta: shown })
    },
  }

  function shorthand(method: string | (() => readonly string[])): Shorthand {
    return function (url, options, handler) {
      const methods = typeof method === 'string' ? method : method()
      registry.addShorthand(this, methods, url, options, handler)
      return this
    }
  }
}
