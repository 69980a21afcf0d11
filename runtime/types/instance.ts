import type { AddressInfo } from 'node:net'
import type {
  CallbackFunc as LightMyRequestCallback,
  Chain as LightMyRequestChain,
  InjectOptions,
  Response as LightMyRequestResponse,
} from 'light-my-request-6'
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
import type { ByLine } from './basic/line.ts'
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
import type { RawServerBase, RawServerDefault, ReplyOf, RequestOf } from './basic/raw.ts'
import type { HTTPMethods } from './basic/server.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

type ErrorOrNull = Error | ByLine<never, null>
type Listening = (err: Error | null, address: string) => void

/** The application, or the encapsulation context of one plugin in it. */
export interface FastifyInstance<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RequestOf<RawServer> = RequestOf<RawServer>,
  RawReply extends ReplyOf<RawServer> = ReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> extends HookMethods<RawServer, RawRequest, RawReply, Logger, TypeProvider> {
  /** Node's server. */
  server: RawServer
  /** The name of the plugin that this context belongs to. */
  pluginName: string
  /** The full prefix of this context; empty at the root. */
  prefix: string
  /** The release of Fastify that the application answers like. */
  version: string
  /** The logger. It does nothing unless the option `logger` is set. */
  log: Logger
  /** Where the server listens, such as `http://127.0.0.1:3000`. */
  listeningOrigin: string
  /** The options of the factory with defaults filled in, frozen. */
  initialConfig: FastifyInitialConfig
  /** Every address that the server listens on; empty before `listen`. */
  addresses(): ByLine<AddressInfo[], (AddressInfo | string)[]>
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
  /** Returns a shared schema that this context sees, or `undefined`. */
  getSchema(schemaId: string): unknown
  /** The shared schemas that this context sees, by `$id`. */
  getSchemas(): Record<string, unknown>

  /** Waits for what was registered before. */
  after(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    PromiseLike<undefined>
  after(
    afterListener: (err: ErrorOrNull) => void,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** Loads all plugins and prepares all routes. */
  ready(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    PromiseLike<undefined>
  ready(
    readyListener: (err: ErrorOrNull) => ByLine<void, void | Promise<void>>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** Answers the requests that it has, stops listening and runs the `onClose` hooks. */
  close(): Promise<undefined>
  close(closeListener: () => void): undefined
  /**
   * `framework/5`: closes the application, at the end of the block of `await using`.
   *
   * @ts-ignore -- for compilers without it, before TypeScript 5.2 */
  [Symbol.asyncDispose](): Promise<undefined>

  /** Adds a property to this instance and its children. */
  decorate: DecorationMethod<FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>>
  /** Adds a property to the requests of this context and its children. */
  decorateRequest: DecorationMethod<
    FastifyRequest,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >
  /** Adds a property to the replies of this context and its children. */
  decorateReply: DecorationMethod<
    FastifyReply,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >
  /** Returns whether the instance has a decorator. */
  hasDecorator(decorator: string | symbol): boolean
  /** Returns whether requests have a decorator. */
  hasRequestDecorator(decorator: string | symbol): boolean
  /** Returns whether replies have a decorator. */
  hasReplyDecorator(decorator: string | symbol): boolean
  /** Returns whether a plugin of that name has been registered in this context. */
  hasPlugin(name: string): boolean
  /** Returns a decorator of the instance. Throws if there is none of that name. */
  getDecorator<T>(decorator: string | symbol): T

  /** Adds a kind of constraint. Throws if there is one of that name, or once routes use it. */
  addConstraintStrategy(strategy: ConstraintStrategy<RawServer, unknown>): void
  /** Returns whether there is a kind of constraint of that name. */
  hasConstraintStrategy(strategyName: string): boolean

  /** Sends a request without a socket; starts the application first when it is not ready. */
  inject(opts: InjectOptions | string, cb: LightMyRequestCallback): void
  inject(opts: InjectOptions | string): Promise<LightMyRequestResponse>
  inject(): LightMyRequestChain

  /** Starts the application and listens. Resolves or calls back with the address. Only `framework` takes separate arguments. */
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

  /** Loads a plugin, in a context of its own unless it's wrapped by `framework/plugin`. */
  register: FastifyRegister<
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> & PromiseLike<undefined>
  >

  /** Answers one request on Node's own objects. */
  routing(req: RawRequest, res: RawReply): void
  /** @deprecated Use `setNotFoundHandler`. */
  getDefaultRoute(): DefaultRoute<RawRequest, RawReply>
  /** @deprecated Use `setNotFoundHandler`. */
  setDefaultRoute(defaultRoute: DefaultRoute<RawRequest, RawReply>): void

  /** Declares a route. Throws `FST_ERR_ROUTE_*` or `FST_ERR_DUPLICATED_ROUTE`. */
  route<
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    const Schema extends FastifySchema = FastifySchema,
  >(
    opts: RouteOptions<
      RawServer,
      RawRequest,
      RawReply,
      Route,
      Config,
      Schema,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** Declares a GET route. */
  get: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  /** Declares a HEAD route. */
  head: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  /** Declares a POST route. */
  post: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  /** Declares a PUT route. */
  put: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  /** Declares a DELETE route. */
  delete: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  /** Declares an OPTIONS route. */
  options: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  /** Declares a PATCH route. */
  patch: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  /** Declares a route for all supported methods. */
  all: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  /** Declares a QUERY route. */
  query: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  /** Declares a TRACE route. */
  trace: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  /** The methods that routes may have. */
  readonly supportedMethods: string[]
  /** Lets routes have another method. */
  addHttpMethod(
    method: string,
    options?: { hasBody?: boolean | undefined; overrideExisting?: boolean | undefined },
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** `framework/5`: returns the handler and the parameters of the route for a URL. */
  findRoute(opts: {
    method: HTTPMethods
    url: string
    constraints?: { [name: string]: unknown } | undefined
  }): {
    handler: (...args: Loose[]) => void
    params: { [name: string]: string | undefined }
    searchParams: { [name: string]: string }
  } | null
  /** Returns whether a route with this method, URL and constraints exists. */
  hasRoute<
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    Schema extends FastifySchema = FastifySchema,
  >(
    opts: Pick<
      RouteOptions<RawServer, RawRequest, RawReply, Route, Config, Schema, TypeProvider>,
      'url' | 'constraints'
    > & { method: ByLine<HTTPMethods | HTTPMethods[], HTTPMethods> },
  ): boolean

  /**
   * Sets the handler of requests under this context's prefix that no route matches, once for each prefix. `opts` may have `preValidation`
   * and `preHandler` hooks.
   */
  setNotFoundHandler<
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config extends ContextConfigDefault = ContextConfigDefault,
    Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    Schema extends FastifySchema = FastifySchema,
  >(
    handler: RouteHandlerMethod<
      RawServer,
      RawRequest,
      RawReply,
      Route,
      Config,
      Schema,
      Provider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, Provider>
  setNotFoundHandler<
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config extends ContextConfigDefault = ContextConfigDefault,
    Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    Schema extends FastifySchema = FastifySchema,
  >(
    opts: Pick<
      RouteShorthandOptions<RawServer, RawRequest, RawReply, Route, Config, Schema, Provider>,
      'preValidation' | 'preHandler'
    >,
    handler: RouteHandlerMethod<
      RawServer,
      RawRequest,
      RawReply,
      Route,
      Config,
      Schema,
      Provider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, Provider>

  /** Answers the errors of this context and its children. An error that it throws goes to the parent's handler. */
  setErrorHandler<
    TError extends ByLine<Error, unknown> = ByLine<FastifyError, unknown>,
    Route extends RouteGenericInterface = RouteGenericInterface,
    Schema extends FastifySchema = FastifySchema,
    Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    handler: (
      this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, Provider>,
      error: TError,
      request: FastifyRequest<Route, RawServer, RawRequest, Schema, Provider>,
      reply: FastifyReply<RawServer, RawRequest, RawReply, Route, unknown, Schema, Provider>,
    ) => Loose,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, Provider>
  /** The error handler of this context. */
  errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void

  /** Generates the ids of requests. */
  readonly genReqId: (raw: RawRequest) => string
  /** Sets what generates the ids of requests, for this context and its children. */
  setGenReqId(
    generate: (raw: RawRequest) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** Creates the logger of a request. */
  childLoggerFactory: FastifyChildLoggerFactory<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    TypeProvider
  >
  /** Sets what creates the logger of a request, for this context and its children. */
  setChildLoggerFactory(
    factory: FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  /** The compiler of this context; `undefined` while it is the built-in one. */
  validatorCompiler: FastifySchemaCompiler<Loose> | undefined
  /** Sets what compiles validators in this context and its children. */
  setValidatorCompiler<T = FastifySchema>(
    schemaCompiler: FastifySchemaCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** The compiler of this context; `undefined` while it is the built-in one. */
  serializerCompiler: FastifySerializerCompiler<Loose> | undefined
  /** Sets what compiles serializers in this context and its children. */
  setSerializerCompiler<T = FastifySchema>(
    schemaCompiler: FastifySerializerCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** Replaces the compilers and the store of shared schemas in this context and its children. */
  setSchemaController(
    schemaControllerOpts: FastifySchemaControllerOptions,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger>
  /** Serializes all payloads of this context and its children, in place of schemas. */
  setReplySerializer(
    replySerializer: (payload: unknown, statusCode: number) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** Sets what turns the violations of a schema into an error. */
  setSchemaErrorFormatter(
    errorFormatter: SchemaErrorFormatter,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  /** Adds a parser for the bodies of some media types. */
  addContentTypeParser: AddContentTypeParser<
    RawServer,
    RawRequest,
    RouteGenericInterface,
    FastifySchema,
    TypeProvider
  >
  /** Returns whether this context has a parser for a media type. */
  hasContentTypeParser: hasContentTypeParser
  /** Removes the parsers of some media types. */
  removeContentTypeParser: removeContentTypeParser
  /** Removes all parsers, including the built-in ones. */
  removeAllContentTypeParsers: removeAllContentTypeParsers
  /** Creates the built-in JSON parser with its own settings for `__proto__` and `constructor` keys. */
  getDefaultJsonParser: getDefaultJsonParser
  /** The built-in parser of `text/plain`. */
  defaultTextParser: FastifyBodyParser<string>

  /** The routes as a tree of text. */
  printRoutes(opts?: PrintRoutesOptions): string
  /** The plugins as a tree of text, with the time that each took. */
  printPlugins(): string
}
