import type { FastifyContext } from './basic/context.ts'
import type {
  ContextConfigDefault,
  RequestBodyDefault,
  RequestHeadersDefault,
  RequestParamsDefault,
  RequestQuerystringDefault,
} from './basic/defaults.ts'
import type { FastifyInstance } from './instance.ts'
import type { ByLine } from './basic/line.ts'
import type { FastifyBaseLogger } from './logger.ts'
import type { Loose } from './basic/loose.ts'
import type { RouteGenericInterface } from './route.ts'
import type { RouteHandlerMethod } from './route-handler.ts'
import type { FastifySchema } from './schema.ts'
import type { RawRequestBase, RawServerBase, RawServerDefault, RequestOf } from './basic/raw.ts'
import type { HTTPMethods } from './basic/server.ts'
import type {
  FastifyRequestType,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  ResolveFastifyRequestType,
} from './type-provider.ts'

type RequestPart = 'body' | 'query' | 'querystring' | 'params' | 'headers'

/** The types of the parts of one route's requests. */
export interface RequestGenericInterface {
  Body?: RequestBodyDefault
  Querystring?: RequestQuerystringDefault
  Params?: RequestParamsDefault
  Headers?: RequestHeadersDefault
}

/** One violation as Ajv reports it. */
export interface ValidationErrorObject {
  keyword: string
  instancePath: string
  schemaPath: string
  params: Loose
  propertyName?: string
  message?: string
  schema?: Loose
  parentSchema?: Loose
  data?: unknown
}

/** A compiled schema. After a `false` its `errors` hold what was wrong, until its next call. */
export interface ValidationFunction {
  (input: Loose): boolean
  errors?: null | ValidationErrorObject[]
}

/** The route that a request was sent to. */
export interface RequestRouteOptions<
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
> {
  /** The method, or the methods as an array. */
  method: ByLine<string, HTTPMethods | HTTPMethods[]>
  /** The full pattern, prefixes included. `undefined` if no route matches. */
  url: string | ByLine<never, undefined>
  /** In bytes. */
  bodyLimit: number
  /** `framework/5`: in milliseconds, 0 for none. */
  handlerTimeout: number
  /** True if the handler runs for invalid requests as well. */
  attachValidation: boolean
  /** The lowest level that is logged. */
  logLevel: string
  /** The version constraint. */
  version: string | undefined
  /** True if the route answers HEAD as well. */
  exposeHeadRoute: boolean
  /** The option of that name. */
  prefixTrailingSlash: string
  /** The `config` of the route. */
  config: FastifyContext<ContextConfig>['config']
  /** The schemas of the route. */
  schema?: SchemaCompiler
  /** The handler of the route. */
  handler: RouteHandlerMethod
}

/** One request. `raw` is Node's own; the rest is read from it or set by the life cycle. */
export interface FastifyRequest<
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestBase = RequestOf<RawServer>,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  ContextConfig = ContextConfigDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  RequestType extends FastifyRequestType = ResolveFastifyRequestType<
    TypeProvider,
    SchemaCompiler,
    RouteGeneric
  >,
> {
  /** From the header named by `requestIdHeader`, else from `genReqId`. */
  id: ByLine<Loose, string>
  /** The parameters of the URL. */
  params: RequestType['params']
  /** Node's request. */
  raw: RawRequest
  /** The parsed query string. */
  query: RequestType['query']
  /** Names in lower case. */
  headers: RawRequest['headers'] & RequestType['headers']
  /** The logger of the request. Its lines have the request's id. */
  log: Logger
  /** The instance of the context that the route was declared in. */
  server: FastifyInstance
  /** Set once the body is parsed, so not yet in `onRequest` and `preParsing` hooks. */
  body: RequestType['body']
  /** @deprecated Use `routeOptions`. */
  context: FastifyContext<ContextConfig>
  /** @deprecated Use `routeOptions.config`. */
  routeConfig: FastifyContext<ContextConfig>['config']
  /** @deprecated Use `routeOptions.schema`. */
  routeSchema: FastifySchema
  /** Set when the route has `attachValidation` and a part broke its schema. */
  validationError?: Error & { validation: Loose; validationContext: string }
  /** @deprecated Use `raw`. Declared because Fastify 4.21 declares it; neither has it at run time. */
  readonly req: RawRequest & RouteGeneric['Headers']
  /** Behind a trusted proxy, the client's address as the proxy reports it. */
  readonly ip: string
  /** From the address of the connection to that of the client; only with `trustProxy`. */
  readonly ips?: string[]
  /** Without the port in `framework/5`. In `framework`, as in Fastify 4, with the port. */
  readonly hostname: string
  /** With the port, as in Fastify 5. */
  readonly host: string
  /** The port in `host`; `null` if it has none. */
  readonly port: number | null
  /** The content type without its parameters. */
  readonly mediaType: string | undefined
  /** Aborts when the connection is closed, or after `handlerTimeout`. */
  readonly signal: AbortSignal
  /** As it arrived, or as `rewriteUrl` made it. */
  readonly url: string
  /** As it arrived. */
  readonly originalUrl: string
  /** `http` or `https`; behind a trusted proxy, as the proxy reports it. */
  readonly protocol: 'http' | 'https'
  /** The method, in upper case. */
  readonly method: string
  /** @deprecated Use `routeOptions.url`. */
  readonly routerPath: string
  /** @deprecated Use `routeOptions.method`. */
  readonly routerMethod: string
  /** The options of the route that answers. */
  readonly routeOptions: Readonly<
    RequestRouteOptions<ContextConfig, ByLine<FastifySchema, SchemaCompiler>>
  >
  /** True if the not-found handler is answering. */
  readonly is404: boolean
  /** The socket of the connection. */
  readonly socket: RawRequest['socket']
  /** @deprecated Use `socket`. */
  readonly connection: RawRequest['socket']

  /** Returns a decorator of the request. Throws if there is none of that name. */
  getDecorator<T>(name: string | symbol): T
  /** Sets a decorator of the request. Throws if there is none of that name. */
  setDecorator<T = unknown>(name: string | symbol, value: T): void

  /** The validation function of a part, or of a schema that was compiled before; else `undefined`. */
  getValidationFunction(httpPart: RequestPart): ValidationFunction | ByLine<never, undefined>
  getValidationFunction(schema: {
    [key: string]: Loose
  }): ValidationFunction | ByLine<never, undefined>
  /** Compiles a schema with the route's validator compiler and remembers it by identity. */
  compileValidationSchema(
    schema: { [key: string]: Loose },
    httpPart?: RequestPart,
  ): ValidationFunction
  /** Checks any value against a schema, or against the schema of one of the route's parts. */
  validateInput(input: Loose, schema: { [key: string]: Loose }, httpPart?: RequestPart): boolean
  validateInput(input: Loose, httpPart?: RequestPart): boolean
}
