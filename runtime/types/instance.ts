import type { AddressInfo } from 'node:net'
import type {
  CallbackFunc as LightMyRequestCallback,
  Chain as LightMyRequestChain,
  InjectOptions,
  Response as LightMyRequestResponse,
} from 'light-my-request'
import type { ConstraintStrategy } from './basic/constraint.ts'
import type {
  AddContentTypeParser,
  FastifyBodyParser,
  getDefaultJsonParser,
  hasContentTypeParser,
  removeAllContentTypeParsers,
  removeContentTypeParser,
} from './content-type-parser.ts'
import type { DecorationMethod } from './basic/decoration.ts'
import type { ContextConfigDefault } from './basic/defaults.ts'
import type { FastifyError } from './error.ts'
import type { HookMethods } from './hook-methods.ts'
import type { FastifyInitialConfig } from './basic/initial-config.ts'
import type { FastifyListenOptions, PrintRoutesOptions } from './basic/listen.ts'
import type { FastifyBaseLogger, FastifyChildLoggerFactory } from './logger.ts'
import type { Loose } from './basic/loose.ts'
import type { FastifyRegister } from './register.ts'
import type { FastifyReply } from './reply.ts'
import type { FastifyRequest } from './request.ts'
import type { RouteGenericInterface, RouteOptions, RouteShorthandOptions } from './route.ts'
import type { DefaultRoute, RouteHandlerMethod, RouteShorthandMethod } from './route-handler.ts'
import type {
  FastifySchema,
  FastifySchemaCompiler,
  FastifySchemaControllerOptions,
  FastifySerializerCompiler,
  SchemaErrorFormatter,
} from './schema.ts'
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './basic/server.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

type Listening = (err: Error | null, address: string) => void

/** The application, or the encapsulation context of one plugin in it. */
export interface FastifyInstance<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> extends HookMethods<RawServer, RawRequest, RawReply, Logger, TypeProvider> {
  server: RawServer
  pluginName: string
  /** The full prefix of this context; empty at the root. */
  prefix: string
  version: string
  log: Logger
  /** Where the server listens, such as `http://127.0.0.1:3000`. */
  listeningOrigin: string
  initialConfig: FastifyInitialConfig
  /** Every address that the server listens on; empty before `listen`. */
  addresses(): AddressInfo[]
  /** The same instance, with routes typed by their schemas. */
  withTypeProvider<Provider extends FastifyTypeProvider>(): FastifyInstance<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    Provider
  >

  /** Shares a schema with this context and its children. Throws `FST_ERR_SCH_*` without an `$id` or for one that is taken. */
  addSchema(schema: unknown): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  getSchema(schemaId: string): unknown
  /** The shared schemas that this context sees, by `$id`. */
  getSchemas(): Record<string, unknown>

  /** Waits for what was registered before. */
  after(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    PromiseLike<undefined>
  after(
    afterListener: (err: Error) => void,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** Loads every plugin and takes every route. */
  ready(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    PromiseLike<undefined>
  ready(
    readyListener: (err: Error) => void,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** Answers the requests that it has, stops listening and runs the `onClose` hooks. */
  close(): Promise<undefined>
  close(closeListener: () => void): undefined

  decorate: DecorationMethod<FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>>
  decorateRequest: DecorationMethod<
    FastifyRequest,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >
  decorateReply: DecorationMethod<
    FastifyReply,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >
  hasDecorator(decorator: string | symbol): boolean
  hasRequestDecorator(decorator: string | symbol): boolean
  hasReplyDecorator(decorator: string | symbol): boolean
  hasPlugin(name: string): boolean
  /** Returns a decorator of the instance. Throws if there is none of that name. */
  getDecorator<T>(decorator: string | symbol): T

  addConstraintStrategy(strategy: ConstraintStrategy<RawServer, unknown>): void
  hasConstraintStrategy(strategyName: string): boolean

  /** Sends a request without a socket; starts the application first when it is not ready. */
  inject(opts: InjectOptions | string, cb: LightMyRequestCallback): void
  inject(opts: InjectOptions | string): Promise<LightMyRequestResponse>
  inject(): LightMyRequestChain

  /** Starts the application and listens; gives the address that it listens on. */
  listen(opts: FastifyListenOptions, callback: Listening): void
  listen(opts?: FastifyListenOptions): Promise<string>
  listen(callback: Listening): void
  /** @deprecated Pass an object. */
  listen(port: number | string, address: string, backlog: number, callback: Listening): void
  /** @deprecated Pass an object. */
  listen(port: number | string, address: string, callback: Listening): void
  /** @deprecated Pass an object. */
  listen(port: number | string, callback: Listening): void
  /** @deprecated Pass an object. */
  listen(port: number | string, address?: string, backlog?: number): Promise<string>

  register: FastifyRegister<
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> & PromiseLike<undefined>
  >

  /** Answers one request on Node's own objects. */
  routing(req: RawRequest, res: RawReply): void
  getDefaultRoute(): DefaultRoute<RawRequest, RawReply>
  setDefaultRoute(defaultRoute: DefaultRoute<RawRequest, RawReply>): void

  /** Declares a route. Throws `FST_ERR_ROUTE_*` or `FST_ERR_DUPLICATED_ROUTE`. */
  route<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    opts: RouteOptions<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  get: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider>
  head: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider>
  post: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider>
  put: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider>
  delete: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider>
  options: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider>
  patch: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider>
  all: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider>
  /** For the method QUERY. */
  query: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider>
  trace: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider>
  /** The methods that routes may have. */
  readonly supportedMethods: string[]
  /** Lets routes have another method. */
  addHttpMethod(
    method: string,
    options?: { hasBody?: boolean | undefined },
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  hasRoute<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    opts: Pick<
      RouteOptions<
        RawServer,
        RawRequest,
        RawReply,
        RouteGeneric,
        ContextConfig,
        SchemaCompiler,
        TypeProvider
      >,
      'method' | 'url' | 'constraints'
    >,
  ): boolean

  /** Answers what no route of this context's prefix matches; once for each prefix. */
  setNotFoundHandler<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig extends ContextConfigDefault = ContextConfigDefault,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    handler: RouteHandlerMethod<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  setNotFoundHandler<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig extends ContextConfigDefault = ContextConfigDefault,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    opts: Pick<
      RouteShorthandOptions<
        RawServer,
        RawRequest,
        RawReply,
        RouteGeneric,
        ContextConfig,
        SchemaCompiler,
        TypeProvider
      >,
      'preValidation' | 'preHandler'
    >,
    handler: RouteHandlerMethod<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  /** Answers the errors of this context and its children. An error that it throws goes to the parent's handler. */
  setErrorHandler<
    TError extends Error = FastifyError,
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    handler: (
      this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
      error: TError,
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      reply: FastifyReply<
        RawServer,
        RawRequest,
        RawReply,
        RouteGeneric,
        ContextConfigDefault,
        SchemaCompiler,
        TypeProvider
      >,
    ) => Loose,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** The handler in force. */
  errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void

  readonly genReqId: (raw: RawRequest) => string
  /** For the routes of this context and of those in it. */
  setGenReqId(
    generate: (raw: RawRequest) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  childLoggerFactory: FastifyChildLoggerFactory<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    TypeProvider
  >
  setChildLoggerFactory(
    factory: FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  /** The compiler of this context; `undefined` while it is the built-in one. */
  validatorCompiler: FastifySchemaCompiler<Loose> | undefined
  setValidatorCompiler<T = FastifySchema>(
    schemaCompiler: FastifySchemaCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** The compiler of this context; `undefined` while it is the built-in one. */
  serializerCompiler: FastifySerializerCompiler<Loose> | undefined
  setSerializerCompiler<T = FastifySchema>(
    schemaCompiler: FastifySerializerCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  setSchemaController(
    schemaControllerOpts: FastifySchemaControllerOptions,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger>
  setReplySerializer(
    replySerializer: (payload: unknown, statusCode: number) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  setSchemaErrorFormatter(
    errorFormatter: SchemaErrorFormatter,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  addContentTypeParser: AddContentTypeParser<
    RawServer,
    RawRequest,
    RouteGenericInterface,
    FastifySchema,
    TypeProvider
  >
  hasContentTypeParser: hasContentTypeParser
  removeContentTypeParser: removeContentTypeParser
  removeAllContentTypeParsers: removeAllContentTypeParsers
  getDefaultJsonParser: getDefaultJsonParser
  /** The built-in parser of `text/plain`. */
  defaultTextParser: FastifyBodyParser<string>

  /** The routes as a tree of text. */
  printRoutes(opts?: PrintRoutesOptions): string
  /** The plugins as a tree of text, with the time that each took. */
  printPlugins(): string
}
