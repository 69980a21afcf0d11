import { assertNotStarted, contextOf } from '../context/index.ts'
import { errorCodes } from '../errors/index.ts'
import { readShorthand } from '../route/checks.ts'
import type { GivenRouteOptions } from '../route/index.ts'
import { isHttpMethod } from '../router/index.ts'
import { decoratorOf, hasMember } from '../serve/fastify-5/added-members.ts'
import type { Instance, RawRequest, RouteHandler } from '../serve/model.ts'
import { createRequestIdGenerator } from '../serve/request/request-id.ts'

interface Fastify5Instance extends Instance {
  route(options: GivenRouteOptions): Fastify5Instance
  decorate(name: string, value: unknown): Fastify5Instance
}

interface MethodOptions {
  readonly hasBody?: boolean
  readonly overrideExisting?: boolean
}

/** Members of instances of Fastify 5 that 4.21 lacks. */
export const fastify5Instance: ThisType<Fastify5Instance> = {
  get genReqId(): (raw: RawRequest) => string {
    return contextOf(this).genReqId
  },

  get supportedMethods(): string[] {
    return [...contextOf(this).app.methods.keys()]
  },

  getDecorator(name: PropertyKey): unknown {
    return decoratorOf(this, name, 'instance')
  },

  setGenReqId(generate: (raw: RawRequest) => string): Fastify5Instance {
    assertNotStarted(this, 'setGenReqId')
    const context = contextOf(this)
    const { requestIdHeader } = context.app.options
    context.genReqId = createRequestIdGenerator(requestIdHeader, generate)
    return this
  },

  /** @throws FST_ERR_ROUTE_METHOD_INVALID */
  addHttpMethod(
    method: string,
    { hasBody = false, overrideExisting = false }: MethodOptions = {},
  ): Fastify5Instance {
    if (typeof method !== 'string' || !isHttpMethod(method)) {
      throw new errorCodes.FST_ERR_ROUTE_METHOD_INVALID()
    }
    const { app } = contextOf(this)
    app.line.addMethod(app.methods, method, hasBody === true, overrideExisting)
    const name = method.toLowerCase()
    if (!hasMember(this, name)) this.decorate(name, shorthand(method))
    return this
  },

  query: shorthand('QUERY'),
  trace: shorthand('TRACE'),
}

/** Creates a method that declares a route, like `get`. */
function shorthand(method: string) {
  return function (
    this: Fastify5Instance,
    url: string,
    options?: GivenRouteOptions | RouteHandler,
    handler?: RouteHandler,
  ): Fastify5Instance {
    const read = readShorthand(method, url, options, handler)
    const given = { ...read.given, method, url, path: url }
    return this.route(read.handler ? { ...given, handler: read.handler } : given)
  }
}
