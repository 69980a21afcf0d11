import type { FastifyContext, FastifyContextConfig } from './basic/context.ts'
import type { ContextConfigDefault } from './basic/defaults.ts'
import type { FastifyError } from './error.ts'
import type {
  onErrorHookHandler,
  onRequestAbortHookHandler,
  onRequestHookHandler,
  onSendHookHandler,
  preParsingHookHandler,
} from './hooks.ts'
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger, FastifyChildLoggerFactory, LogLevel } from './logger.ts'
import type { Loose } from './basic/loose.ts'
import type { ByLine } from './basic/line.ts'
import type { FastifyReply, ReplyGenericInterface } from './reply.ts'
import type { FastifyRequest, RequestGenericInterface } from './request.ts'
import type { RouteHandlerMethod } from './route-handler.ts'
import type {
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  SchemaErrorFormatter,
} from './schema.ts'
import type { RawServerBase, RawServerDefault, ReplyOf, RequestOf } from './basic/raw.ts'
import type { HTTPMethods } from './basic/server.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

/** The types of one route: `Body`, `Querystring`, `Params`, `Headers` and `Reply`. */
export interface RouteGenericInterface extends RequestGenericInterface, ReplyGenericInterface {}

/** The schemas that other options of a route see. In `framework/5`, only `schema` decides on their types, not the type of a hook. */
type SchemaOf<Schema extends FastifySchema> = ByLine<Schema, NoInfer<Schema>>

type Hooks<Hook> = Hook | Hook[] | undefined

/** The hooks of a route. */
interface RouteHooks<
  Server extends RawServerBase,
  Request extends RequestOf<Server>,
  Reply extends ReplyOf<Server>,
  Route extends RouteGenericInterface,
  Config,
  Schema extends FastifySchema,
  Provider extends FastifyTypeProvider,
  Logger extends FastifyBaseLogger,
  RequestHook = onRequestHookHandler<
    Server,
    Request,
    Reply,
    Route,
    Config,
    Schema,
    Provider,
    Logger
  >,
  PayloadHook = onSendHookHandler<
    unknown,
    Server,
    Request,
    Reply,
    Route,
    Config,
    Schema,
    Provider,
    Logger
  >,
> {
  /** Runs first. */
  onRequest?: Hooks<RequestHook>
  /** Runs before the body is read, and may replace the stream. */
  preParsing?: Hooks<
    preParsingHookHandler<Server, Request, Reply, Route, Config, Schema, Provider, Logger>
  >
  /** Runs before validation, with the parsed body. */
  preValidation?: Hooks<RequestHook>
  /** Runs before the handler, with valid input. */
  preHandler?: Hooks<RequestHook>
  /** Runs before an object is serialized, and may replace it. */
  preSerialization?: Hooks<PayloadHook>
  /** Runs before the payload is sent, and may replace it. */
  onSend?: Hooks<PayloadHook>
  /** Runs after the answer has been sent. */
  onResponse?: Hooks<RequestHook>
  /** Runs when the socket times out. */
  onTimeout?: Hooks<RequestHook>
  /** Runs before an error is sent. */
  onError?: Hooks<
    onErrorHookHandler<
      Server,
      Request,
      Reply,
      Route,
      Config,
      FastifyError,
      Schema,
      Provider,
      Logger
    >
  >
  /** Runs when the client closes the connection before the answer. */
  onRequestAbort?: Hooks<
    onRequestAbortHookHandler<Server, Request, Reply, Route, Config, Schema, Provider, Logger>
  >
}

/** Options of a route besides its method, URL and handler. */
export interface RouteShorthandOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RequestOf<RawServer> = RequestOf<RawServer>,
  RawReply extends ReplyOf<RawServer> = ReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteHooks<
  RawServer,
  RawRequest,
  RawReply,
  RouteGeneric,
  ContextConfig,
  SchemaOf<SchemaCompiler>,
  TypeProvider,
  Logger
> {
  /** The schemas of the input and of the responses. */
  schema?: SchemaCompiler | undefined
  /** Let the handler run with `request.validationError` when a part is invalid. Default `false`. */
  attachValidation?: boolean | undefined
  /** True if a GET route answers HEAD as well. Default: the factory's `exposeHeadRoutes`. */
  exposeHeadRoute?: boolean | undefined
  /** Compiles this route's parts in place of the context's. */
  validatorCompiler?: FastifySchemaCompiler<SchemaOf<SchemaCompiler>> | undefined
  /** Compiles this route's responses in place of the context's. */
  serializerCompiler?: FastifySerializerCompiler<SchemaOf<SchemaCompiler>> | undefined
  /** In bytes. Default: the factory's `bodyLimit`. */
  bodyLimit?: number | undefined
  /** `framework/5`: answer 503 if the handler takes longer, in milliseconds. Default: the factory's. */
  handlerTimeout?: number | undefined
  /** The lowest level that is logged for this route. Default: that of the context. */
  logLevel?: LogLevel | undefined
  /** Serializers of the request's logger, by key. */
  logSerializers?: Record<string, (value: Loose) => Loose> | undefined
  /** For the application and its plugins, which find it in `request.routeOptions.config`. */
  config?:
    | ByLine<
        Omit<FastifyContext<ContextConfig>['config'], 'url' | 'method'>,
        FastifyContextConfig & ContextConfig
      >
    | undefined
  /** @deprecated Use `constraints.version`. */
  version?: string | undefined
  /** `version`, `host`, and the names of the application's own constraint strategies. */
  constraints?: { [name: string]: Loose } | undefined
  /** Which of `/prefix` and `/prefix/` the route `/` of a prefixed plugin answers. Default `both`. */
  prefixTrailingSlash?: 'slash' | 'no-slash' | 'both' | undefined
  /** Answers errors of this route in place of the context's handler. */
  errorHandler?:
    | ((
        this: ByLine<
          FastifyInstance,
          FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
        >,
        error: FastifyError,
        request: FastifyRequest<
          RouteGeneric,
          RawServer,
          RawRequest,
          SchemaOf<SchemaCompiler>,
          TypeProvider,
          ContextConfig,
          Logger
        >,
        reply: FastifyReply,
      ) => void)
    | undefined
  /** Creates the logger of a request in place of the context's factory. */
  childLoggerFactory?:
    | FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>
    | undefined
  /** Turns the violations of a schema into an error in place of the context's formatter. */
  schemaErrorFormatter?: SchemaErrorFormatter | undefined
}

/** `app.get(path, opts)` with the handler among the options. */
export interface RouteShorthandOptionsWithHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RequestOf<RawServer> = RequestOf<RawServer>,
  RawReply extends ReplyOf<RawServer> = ReplyOf<RawServer>,
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
  /** Answers the request. */
  handler: RouteHandlerMethod<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaOf<SchemaCompiler>,
    TypeProvider,
    Logger
  >
}

/** The argument of `app.route`. */
export interface RouteOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RequestOf<RawServer> = RequestOf<RawServer>,
  RawReply extends ReplyOf<RawServer> = ReplyOf<RawServer>,
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
  /** The method, or several. */
  method: HTTPMethods | HTTPMethods[]
  /** The pattern, without the prefixes of the context. */
  url: string
}
