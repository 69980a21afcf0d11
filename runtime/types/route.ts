import type { FastifyContext } from './basic/context.ts'
import type { ContextConfigDefault } from './basic/defaults.ts'
import type { FastifyError } from './error.ts'
import type {
  onErrorHookHandler,
  onRequestAbortHookHandler,
  onRequestHookHandler,
  onSendHookHandler,
  preParsingHookHandler,
  preSerializationHookHandler,
} from './hooks.ts'
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger, FastifyChildLoggerFactory, LogLevel } from './logger.ts'
import type { Loose } from './basic/loose.ts'
import type { FastifyReply, ReplyGenericInterface } from './reply.ts'
import type { FastifyRequest, RequestGenericInterface } from './request.ts'
import type { RouteHandlerMethod } from './route-handler.ts'
import type {
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  SchemaErrorFormatter,
} from './schema.ts'
import type {
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './basic/server.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

/** The types of one route: `Body`, `Querystring`, `Params`, `Headers` and `Reply`. */
export interface RouteGenericInterface extends RequestGenericInterface, ReplyGenericInterface {}

type OneOrMany<T> = T | T[]

/** The hooks of a route that differ in their time only. */
interface RequestHooks<Hook> {
  onRequest?: OneOrMany<Hook> | undefined
  preValidation?: OneOrMany<Hook> | undefined
  preHandler?: OneOrMany<Hook> | undefined
  onResponse?: OneOrMany<Hook> | undefined
  onTimeout?: OneOrMany<Hook> | undefined
}

/** Everything that a route can be told besides its method, URL and handler. */
export interface RouteShorthandOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RequestHooks<
  onRequestHookHandler<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    Logger
  >
> {
  schema?: SchemaCompiler | undefined
  /** Let the handler run with `request.validationError` when a part is invalid. Default `false`. */
  attachValidation?: boolean | undefined
  /** True if a GET route answers HEAD as well. Default: the factory's `exposeHeadRoutes`. */
  exposeHeadRoute?: boolean | undefined
  /** Compiles this route's parts in place of the context's. */
  validatorCompiler?: FastifySchemaCompiler<SchemaCompiler> | undefined
  /** Compiles this route's responses in place of the context's. */
  serializerCompiler?: FastifySerializerCompiler<SchemaCompiler> | undefined
  /** In bytes. Default: the factory's `bodyLimit`. */
  bodyLimit?: number | undefined
  logLevel?: LogLevel | undefined
  logSerializers?: Record<string, (value: Loose) => Loose> | undefined
  /** Free for the application and its plugins; read back from `request.routeOptions.config`. */
  config?: Omit<FastifyContext<ContextConfig>['config'], 'url' | 'method'> | undefined
  /** @deprecated Use `constraints.version`. */
  version?: string | undefined
  /** `version`, `host`, or what a constraint strategy of the application derives. */
  constraints?: { [name: string]: Loose } | undefined
  /** Which of `/prefix` and `/prefix/` the route `/` of a prefixed plugin answers. Default `both`. */
  prefixTrailingSlash?: 'slash' | 'no-slash' | 'both' | undefined
  errorHandler?:
    | ((
        this: FastifyInstance,
        error: FastifyError,
        request: FastifyRequest,
        reply: FastifyReply,
      ) => void)
    | undefined
  childLoggerFactory?:
    | FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>
    | undefined
  schemaErrorFormatter?: SchemaErrorFormatter | undefined

  preParsing?:
    | OneOrMany<
        preParsingHookHandler<
          RawServer,
          RawRequest,
          RawReply,
          RouteGeneric,
          ContextConfig,
          SchemaCompiler,
          TypeProvider,
          Logger
        >
      >
    | undefined
  preSerialization?:
    | OneOrMany<
        preSerializationHookHandler<
          unknown,
          RawServer,
          RawRequest,
          RawReply,
          RouteGeneric,
          ContextConfig,
          SchemaCompiler,
          TypeProvider,
          Logger
        >
      >
    | undefined
  onSend?:
    | OneOrMany<
        onSendHookHandler<
          unknown,
          RawServer,
          RawRequest,
          RawReply,
          RouteGeneric,
          ContextConfig,
          SchemaCompiler,
          TypeProvider,
          Logger
        >
      >
    | undefined
  onError?:
    | OneOrMany<
        onErrorHookHandler<
          RawServer,
          RawRequest,
          RawReply,
          RouteGeneric,
          ContextConfig,
          FastifyError,
          SchemaCompiler,
          TypeProvider,
          Logger
        >
      >
    | undefined
  onRequestAbort?:
    | OneOrMany<
        onRequestAbortHookHandler<
          RawServer,
          RawRequest,
          RawReply,
          RouteGeneric,
          ContextConfig,
          SchemaCompiler,
          TypeProvider,
          Logger
        >
      >
    | undefined
}

/** `app.get(path, opts)` with the handler among the options. */
export interface RouteShorthandOptionsWithHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteShorthandOptions<
  RawServer,
  RawRequest,
  RawReply,
  RouteGeneric,
  ContextConfig,
  SchemaCompiler,
  TypeProvider,
  Logger
> {
  handler: RouteHandlerMethod<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    Logger
  >
}

/** The argument of `app.route`. */
export interface RouteOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteShorthandOptionsWithHandler<
  RawServer,
  RawRequest,
  RawReply,
  RouteGeneric,
  ContextConfig,
  SchemaCompiler,
  TypeProvider,
  Logger
> {
  method: HTTPMethods | HTTPMethods[]
  /** The pattern; the prefixes of the context stand before it. */
  url: string
}
