/** Members of instances that only Fastify 5 has. */
import type { Application } from '../../context/application.ts'
import { contextOf } from '../../context/index.ts'
import { errors } from '../../errors/fastify-5.ts'
import { emitOnce } from '../../errors/warnings.ts'
import { methodsOf } from '../../instance/routes.ts'
import { assertNotStarted } from '../../instance/schema.ts'
import type { GivenRouteOptions } from '../../route/index.ts'
import { isHttpMethod } from '../../router/index.ts'
import { decoratorOf } from '../../serve/fastify-5/added-members.ts'
import type { Instance as AnyInstance, RawRequest, RouteHandler } from '../../serve/model.ts'
import { createRequestIdGenerator } from '../../serve/request/request-id.ts'
import { readerOf } from './methods.ts'

interface Instance extends AnyInstance {
  route(options: GivenRouteOptions): Instance
  decorate(name: string, value: unknown): Instance
}

interface MethodOptions {
  readonly hasBody?: boolean
  readonly overrideExisting?: boolean
}

/** Named by this symbol from Node 20 on. */
const kAsyncDispose: symbol | undefined = (Symbol as { asyncDispose?: symbol }).asyncDispose

export function createMembers(app: Application): object {
  const { router, methods } = app
  return {
    get genReqId(): (raw: RawRequest) => string {
      return contextOf(this as unknown as Instance).genReqId
    },

    get supportedMethods(): string[] {
      return methodsOf(app)
    },

    getDecorator(this: Instance, name: PropertyKey): unknown {
      return decoratorOf(this, name, 'instance')
    },

    setGenReqId(this: Instance, generate: (raw: RawRequest) => string): Instance {
      assertNotStarted(this, 'setGenReqId')
      const { requestIdHeader } = app.options
      contextOf(this).genReqId = createRequestIdGenerator(requestIdHeader, generate)
      return this
    },

    /** @throws FST_ERR_ROUTE_METHOD_INVALID */
    addHttpMethod(
      this: Instance,
      method: string,
      { hasBody = false, overrideExisting = false }: MethodOptions = {},
    ): Instance {
      if (typeof method !== 'string' || !isHttpMethod(method)) {
        throw new errors.FST_ERR_ROUTE_METHOD_INVALID()
      }
      if (methods.has(method) && !overrideExisting) emitOnce('FSTDEP025', method)
      methods.set(method, hasBody ? readerOf(method) : null)
      const name = method.toLowerCase()
      if (!this.hasDecorator(name)) this.decorate(name, shorthand(method))
      return this
    },

    query: shorthand('QUERY'),
    trace: shorthand('TRACE'),

    hasRoute: ({ method, url, constraints }: GivenRouteOptions): boolean =>
      router.hasRoute(toMethod(method), url || '', constraints),

    /** Returns the handler and the parameters of the route for a URL. */
    findRoute({ method, url, constraints }: GivenRouteOptions): object | null {
      const found = router.find(toMethod(method), url || '', constraints)
      if (found === null) return null
      const { handler, params, searchParams } = found
      return { handler, params, searchParams }
    },

    ...(kAsyncDispose && { [kAsyncDispose]: () => app.root.close() }),
  }
}

function toMethod(method: string | string[] | undefined): string {
  return (method as string | undefined)?.toUpperCase() ?? ''
}

/** Creates a method that declares routes. */
function shorthand(method: string) {
  return function (
    this: Instance,
    url: string,
    options?: GivenRouteOptions | RouteHandler,
    handler?: RouteHandler,
  ): Instance {
    if (typeof options === 'function') return this.route({ method, url, handler: options })
    return this.route({ ...options, method, url, ...(handler && { handler }) })
  }
}
