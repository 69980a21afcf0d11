import type { ContextConfigDefault } from './basic/defaults.ts'
import type { FastifyReply } from './reply.ts'
import type { FastifyRequest } from './request.ts'
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger } from './logger.ts'
import type {
  RouteGenericInterface,
  RouteShorthandOptions,
  RouteShorthandOptionsWithHandler,
} from './route.ts'
import type { FastifySchema } from './schema.ts'
import type { RawServerBase, RawServerDefault, ReplyOf, RequestOf } from './basic/raw.ts'
import type {
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  HandlerResult,
  ResolveFastifyReplyReturnType,
} from './type-provider.ts'

/** Answers a request by `reply.send` or by returning the payload. `this` is the instance of the route's context. */
export type RouteHandlerMethod<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Config = ContextConfigDefault,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<Server, Request, Reply, Logger, Provider>,
  request: FastifyRequest<Route, Server, Request, Schema, Provider, Config, Logger>,
  reply: FastifyReply<Server, Request, Reply, Route, Config, Schema, Provider>,
) => ResolveFastifyReplyReturnType<Provider, Schema, Route>

/** The overloads of `RouteShorthandMethod`, whose type parameters need Fastify's names, because plugins merge with it. */
interface DeclareRoute<
  Server extends RawServerBase,
  Request extends RequestOf<Server>,
  Reply extends ReplyOf<Server>,
  Provider extends FastifyTypeProvider,
  Logger extends FastifyBaseLogger,
> {
  <
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    const Schema extends FastifySchema = FastifySchema,
    OwnLogger extends FastifyBaseLogger = Logger,
  >(
    path: string,
    opts: RouteShorthandOptions<Server, Request, Reply, Route, Config, Schema, Provider, OwnLogger>,
    handler: RouteHandlerMethod<Server, Request, Reply, Route, Config, Schema, Provider, OwnLogger>,
  ): FastifyInstance<Server, Request, Reply, OwnLogger, Provider>
  <
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    const Schema extends FastifySchema = FastifySchema,
    OwnLogger extends FastifyBaseLogger = Logger,
  >(
    path: string,
    handler: RouteHandlerMethod<Server, Request, Reply, Route, Config, Schema, Provider, OwnLogger>,
  ): FastifyInstance<Server, Request, Reply, OwnLogger, Provider>
  <
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    const Schema extends FastifySchema = FastifySchema,
    OwnLogger extends FastifyBaseLogger = Logger,
  >(
    path: string,
    opts: RouteShorthandOptionsWithHandler<
      Server,
      Request,
      Reply,
      Route,
      Config,
      Schema,
      Provider,
      OwnLogger
    >,
  ): FastifyInstance<Server, Request, Reply, OwnLogger, Provider>
}

/** `app.get` and the other methods that declare a route in one call. */
export interface RouteShorthandMethod<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RequestOf<RawServer> = RequestOf<RawServer>,
  RawReply extends ReplyOf<RawServer> = ReplyOf<RawServer>,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends DeclareRoute<RawServer, RawRequest, RawReply, TypeProvider, Logger> {}

/** As `RouteHandlerMethod`, but with the route generic first, and the reply's type from it alone. */
export type RouteHandler<
  Route extends RouteGenericInterface = RouteGenericInterface,
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Config = ContextConfigDefault,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<Server, Request, Reply, Logger, Provider>,
  request: FastifyRequest<Route, Server, Request, Schema, Provider, Config, Logger>,
  reply: FastifyReply<Server, Request, Reply, Route, Config, Schema, Provider>,
) => HandlerResult<Route['Reply']>

/** Answers a request that no route matches, on Node's own objects. */
export type DefaultRoute<Request, Reply> = (req: Request, res: Reply) => void
