/** The request of Fastify 4.21, with the members that Fastify 5 added. */
import { emitWarning } from '../../errors/warnings.ts'
import { createAddedMembers } from '../../serve/fastify-5/added-members.ts'
import { fastify5Request } from '../../serve/fastify-5/request.ts'
import type { RawRequest, RequestClass } from '../../serve/model.ts'
import { createRequestClass } from '../../serve/request/index.ts'
import type { RouteConfig, RouteContext } from '../../serve/route-context.ts'
import { kRoute } from '../../serve/symbols.ts'

/** Fastify 5's name for what Fastify 4 calls `hostname`: with the port, and from trusted proxies if there are any. */
const hostMember: ThisType<{ readonly hostname: string | undefined }> = {
  get host(): string {
    return this.hostname ?? ''
  },
}

class Members {
  declare raw: RawRequest
  declare [kRoute]: RouteContext

  /** @deprecated Use `routeOptions`. */
  get context(): RouteContext {
    emitWarning('FSTDEP012')
    return this[kRoute]
  }

  get routerPath(): string | undefined {
    return this[kRoute].config.url
  }

  get routerMethod(): string | string[] | undefined {
    return this[kRoute].config.method
  }

  get routeConfig(): RouteConfig {
    return this[kRoute].config
  }

  get routeSchema(): object | undefined {
    return this[kRoute].schema
  }

  get routeOptions(): object {
    const route = this[kRoute]
    const { server, config } = route
    const options = {
      method: config.method,
      url: config.url,
      bodyLimit: route.bodyLimit || server.initialConfig.bodyLimit,
      attachValidation: route.attachValidation,
      logLevel: route.logLevel,
      exposeHeadRoute: route.exposeHeadRoute,
      prefixTrailingSlash: route.prefixTrailingSlash,
      version: server.hasConstraintStrategy('version')
        ? this.raw.headers['accept-version']
        : undefined,
    }
    // Not enumerable: Fastify 4.21 lacks them.
    Object.defineProperties(options, {
      config: { get: () => route.config },
      schema: { get: () => route.schema },
      handler: { get: () => route.handler },
    })
    return Object.freeze(options)
  }

  /** @deprecated Use `socket`. */
  get connection(): unknown {
    emitWarning('FSTDEP005')
    return this.raw.connection
  }

  get hostname(): string | undefined {
    return this.raw.headers.host || (this.raw.headers[':authority'] as string | undefined)
  }
}

Object.setPrototypeOf(hostMember, createAddedMembers(fastify5Request))
Object.setPrototypeOf(Members.prototype, createAddedMembers(hostMember))

export const Request: RequestClass = createRequestClass(Members.prototype)
