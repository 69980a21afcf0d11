import type {
  Http2SecureServer,
  Http2Server,
  Http2ServerRequest,
  Http2ServerResponse,
} from 'node:http2'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Artifact } from '../../runtime/artifact/index.ts'
import { Ajv, type Options as Ajv8Options } from 'ajv'
import framework, {
  errorCodes,
  fastify,
  framework as named,
  type AjvOptions,
  type FastifyBaseLogger,
  type FastifyHttp2SecureOptions,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyServerOptions,
  type FrameworkFactory,
} from 'framework'
import * as everything from 'framework'
import { same, type Equal, type Expect } from './expect.ts'

// Every way to import it gives the one factory.
export type SameFactory = [
  Expect<Equal<typeof named, typeof framework>>,
  Expect<Equal<typeof fastify, typeof framework>>,
  Expect<Equal<typeof everything.default, typeof framework>>,
]
const factory: FrameworkFactory = framework
framework.fastify().listen()
framework.default().listen()
same<typeof errorCodes>()(framework.errorCodes)

// The default import is a namespace as well.
const byNamespace: framework.FastifyInstance = framework()
const byStar: everything.FastifyInstance = byNamespace
export type SameInstance = Expect<Equal<framework.FastifyInstance, FastifyInstance>>

// An instance can be used at once, or awaited.
same<FastifyInstance<Server> & PromiseLike<FastifyInstance<Server>>>()(framework())
same<FastifyInstance<Server>>()(await framework({}))

// The options decide on the server.
same<Server>()(framework({ http: { keepAlive: true } }).server)
same<HttpsServer>()(framework({ https: {} }).server)
same<HttpsServer>()(framework({ https: null }).server)
same<Http2Server>()(framework({ http2: true, http2SessionTimeout: 1000 }).server)
same<Http2SecureServer>()(framework({ http2: true, https: { allowHTTP1: true } }).server)
const secure = framework({ http2: true, https: {} })
secure.get('/', (request, reply) => {
  same<Http2ServerRequest>()(request.raw)
  same<Http2ServerResponse>()(reply.raw)
})
framework().get('/', (request, reply) => {
  same<IncomingMessage>()(request.raw)
  same<ServerResponse>()(reply.raw)
})
// @ts-expect-error http2SessionTimeout needs http2
framework({ http2SessionTimeout: 1000 })

// Options that Fastify's own type tests (`npm run conformance:types`) don't have.
framework({
  maxRequestsPerSocket: 0,
  requestTimeout: 0,
  exposeHeadRoutes: false,
  schemaController: {
    bucket: () => ({ add: () => framework(), getSchema: () => ({}), getSchemas: () => ({}) }),
  },
})
// @ts-expect-error a number
framework({ bodyLimit: '1mb' })
// @ts-expect-error one of three actions
framework({ onProtoPoisoning: 'drop' })
// @ts-expect-error no such option
framework({ bodylimit: 1 })
// @ts-expect-error no such option of the validator
framework({ ajv: { customOptions: { coerceType: true } } })

// Any option can be undefined, as configuration code leaves it.
declare const undefinedOptions: { [Key in keyof FastifyServerOptions]-?: undefined }
const configured: FastifyServerOptions = undefinedOptions
framework(configured)

// Compiled schemas.
declare const artifact: Artifact
framework({ aot: { artifact, check: 'first-request' } })
framework({ aot: { mode: process.env['NODE_ENV'] === 'production' ? undefined : 'development' } })
// @ts-expect-error one of two times
framework({ aot: { check: 'never' } })

// Options that were typed apart.
const options: FastifyHttpOptions<Server> = { logger: false, http: null }
framework(options)
const http2Options: FastifyHttp2SecureOptions<Http2SecureServer, FastifyBaseLogger> = {
  http2: true,
  https: {},
}
framework(http2Options)

// Ajv's own options fit, and none of them is missing.
declare const ajvOptions: Ajv8Options
framework({ ajv: { customOptions: ajvOptions } })
export type AllOfAjv = Expect<Equal<keyof AjvOptions, keyof Ajv8Options>>
