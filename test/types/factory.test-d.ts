import type {
  Http2SecureServer,
  Http2Server,
  Http2ServerRequest,
  Http2ServerResponse,
} from 'node:http2'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
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

// Every option, of the right type.
framework({
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
  connectionTimeout: 0,
  keepAliveTimeout: 72_000,
  maxRequestsPerSocket: 0,
  forceCloseConnections: 'idle',
  requestTimeout: 0,
  pluginTimeout: 10_000,
  bodyLimit: 1_048_576,
  maxParamLength: 100,
  disableRequestLogging: true,
  exposeHeadRoutes: false,
  onProtoPoisoning: 'remove',
  onConstructorPoisoning: 'ignore',
  serializerOpts: { rounding: 'ceil', largeArraySize: '20000' },
  serverFactory: (handler) => createServer(handler),
  caseSensitive: false,
  allowUnsafeRegex: true,
  requestIdHeader: false,
  requestIdLogLabel: 'id',
  jsonShorthand: false,
  genReqId: (request) => String(request.headers['x-id']),
  trustProxy: (address, hop) => address.startsWith('10.') && hop < 2,
  querystringParser: (text) => Object.fromEntries(new URLSearchParams(text)),
  return503OnClosing: false,
  ajv: {
    customOptions: { coerceTypes: 'array' },
    plugins: [(ajv: Ajv) => ajv, [() => {}, { a: 1 }]],
  },
  frameworkErrors: (error, request, reply) => {
    same<string>()(error.code)
    reply.code(error.statusCode ?? 500).send(request.url)
  },
  rewriteUrl(request) {
    this.log.info(request.url)
    return request.url ?? '/'
  },
  schemaErrorFormatter: (errors, dataVar) => new Error(`${dataVar}: ${errors[0]?.message}`),
  clientErrorHandler: (error, socket) => socket.end(error.rawPacket.type),
  schemaController: {
    bucket: () => ({ add: () => framework(), getSchema: () => ({}), getSchemas: () => ({}) }),
    compilersFactory: {
      buildValidator: (externalSchemas, options) => {
        const ajv = new Ajv({ allErrors: options?.customOptions?.allErrors === true })
        for (const id of Object.keys(externalSchemas)) ajv.addSchema(externalSchemas[id], id)
        return ({ schema }) => ajv.compile(schema)
      },
      buildSerializer: () => () => JSON.stringify,
    },
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
