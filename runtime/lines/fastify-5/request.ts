/** The request of Fastify 5. */
import { fastify5Request } from '../../serve/fastify-5/request.ts'
import type { RawRequest, RequestClass } from '../../serve/model.ts'
import { createRequestClass } from '../../serve/request/index.ts'
import type { RouteContext } from '../../serve/route-context.ts'
import { kRoute } from '../../serve/symbols.ts'

class Members {
  declare raw: RawRequest
  declare [kRoute]: RouteContext

  get routeOptions(): object {
    const route = this[kRoute]
    const { server, config, schema, handler } = route
    const version = server.hasConstraintStrategy('version')
      ? this.raw.headers['accept-version']
      : undefined
    return {
      method: config.method,
      url: config.url,
      bodyLimit: route.bodyLimit || server.initialConfig.bodyLimit,
      handlerTimeout: route.handlerTimeout,
      attachValidation: route.attachValidation,
      logLevel: route.logLevel,
      exposeHeadRoute: route.exposeHeadRoute,
      prefixTrailingSlash: route.prefixTrailingSlash,
      handler,
      config,
      schema,
      version,
    }
  }

  /** With the port, unlike `hostname`. */
  get host(): string {
    const { headers } = this.raw
    return headers.host ?? (headers[':authority'] as string | undefined) ?? ''
  }

  get hostname(): string {
    const { host } = this
    // An IPv6 address is in brackets.
    return host.startsWith('[')
      ? host.slice(0, host.indexOf(']') + 1)
      : (host.split(':', 1)[0] as string)
  }
}

Object.setPrototypeOf(Members.prototype, fastify5Request)

export const Request: RequestClass = createRequestClass(Members.prototype)
