import type { ContextConfigDefault } from './basic/defaults.ts'
import type { RawServerBase, ReplyOf, RequestOf } from './basic/raw.ts'
import type { FastifyError } from './error.ts'
import type {
  onCloseHookHandler,
  onErrorHookHandler,
  onReadyHookHandler,
  onRegisterHookHandler,
  onRequestAbortHookHandler,
  onRequestHookHandler,
  onRouteHookHandler,
  onSendHookHandler,
  preParsingHookHandler,
} from './hooks.ts'
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger } from './logger.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifySchema } from './schema.ts'
import type { FastifyTypeProvider } from './type-provider.ts'

/**
 * `addHook` of an instance: adds a hook to this context and its children, for routes declared from now on. Throws
 * `FST_ERR_HOOK_*` for an unknown name, something that is not a function, or an async hook that takes `done`.
 *
 * Each hook needs one form only: a function that returns a promise fits where the result is ignored and `done` may be left out.
 */
export interface HookMethods<
  Server extends RawServerBase,
  Request extends RequestOf<Server>,
  Reply extends ReplyOf<Server>,
  Logger extends FastifyBaseLogger,
  Provider extends FastifyTypeProvider,
> {
  /** Adds a hook to this context and its children, for routes declared from now on. Throws `FST_ERR_HOOK_*`. */
  addHook<
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    Schema extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'onRequest' | 'preValidation' | 'preHandler' | 'onResponse' | 'onTimeout',
    hook: onRequestHookHandler<Server, Request, Reply, Route, Config, Schema, Provider, Logger>,
  ): FastifyInstance<Server, Request, Reply, Logger, Provider>
  addHook<
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    Schema extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'preParsing',
    hook: preParsingHookHandler<Server, Request, Reply, Route, Config, Schema, Provider, Logger>,
  ): FastifyInstance<Server, Request, Reply, Logger, Provider>
  addHook<
    Payload = unknown,
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    Schema extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'preSerialization' | 'onSend',
    hook: onSendHookHandler<
      Payload,
      Server,
      Request,
      Reply,
      Route,
      Config,
      Schema,
      Provider,
      Logger
    >,
  ): FastifyInstance<Server, Request, Reply, Logger, Provider>
  addHook<
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    Schema extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'onError',
    hook: onErrorHookHandler<
      Server,
      Request,
      Reply,
      Route,
      Config,
      FastifyError,
      Schema,
      Provider,
      Logger
    >,
  ): FastifyInstance<Server, Request, Reply, Logger, Provider>
  addHook<
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    Schema extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'onRequestAbort',
    hook: onRequestAbortHookHandler<
      Server,
      Request,
      Reply,
      Route,
      Config,
      Schema,
      Provider,
      Logger
    >,
  ): FastifyInstance<Server, Request, Reply, Logger, Provider>
  addHook<
    Route extends RouteGenericInterface = RouteGenericInterface,
    Config = ContextConfigDefault,
    Schema extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'onRoute',
    hook: onRouteHookHandler<Server, Request, Reply, Route, Config, Schema, Provider, Logger>,
  ): FastifyInstance<Server, Request, Reply, Logger, Provider>
  addHook(
    name: 'onRegister',
    hook: onRegisterHookHandler<Server, Request, Reply, Logger, Provider>,
  ): FastifyInstance<Server, Request, Reply, Logger, Provider>
  addHook(
    name: 'onReady' | 'onListen' | 'preClose',
    hook: onReadyHookHandler<Server, Request, Reply, Logger, Provider>,
  ): FastifyInstance<Server, Request, Reply, Logger, Provider>
  addHook(
    name: 'onClose',
    hook: onCloseHookHandler<Server, Request, Reply, Logger, Provider>,
  ): FastifyInstance<Server, Request, Reply, Logger, Provider>
  /** Disposes of a resource, on Fastify 5. */
  addHook(
    name: 'onClose',
    hook: AsyncDisposable | Disposable,
  ): FastifyInstance<Server, Request, Reply, Logger, Provider>
}
