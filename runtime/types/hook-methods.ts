import type {
  onCloseHookHandler,
  onReadyHookHandler,
  onRegisterHookHandler,
  onRouteHookHandler,
} from './application-hooks.ts'
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
import type { FastifyBaseLogger } from './logger.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifySchema } from './schema.ts'
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
} from './basic/server.ts'
import type { FastifyTypeProvider } from './type-provider.ts'

/**
 * `addHook` of an instance: adds a hook to this context and its children, for routes declared from now on. Throws
 * `FST_ERR_HOOK_*` for an unknown name, something that is not a function, or an async hook that takes `done`.
 *
 * Each hook needs one form only: a function that returns a promise fits where the result is ignored and `done` may be left out.
 */
export interface HookMethods<
  RawServer extends RawServerBase,
  RawRequest extends RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider,
> {
  /** Adds a hook to this context and its children, for routes declared from now on. Throws `FST_ERR_HOOK_*`. */
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'onRequest' | 'preValidation' | 'preHandler' | 'onResponse' | 'onTimeout',
    hook: onRequestHookHandler<
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
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'preParsing',
    hook: preParsingHookHandler<
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
  addHook<
    Payload = unknown,
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'preSerialization' | 'onSend',
    hook: onSendHookHandler<
      Payload,
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
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'onError',
    hook: onErrorHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      FastifyError,
      SchemaCompiler,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'onRequestAbort',
    hook: onRequestAbortHookHandler<
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
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'onRoute',
    hook: onRouteHookHandler<
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
  addHook(
    name: 'onRegister',
    hook: onRegisterHookHandler<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook(
    name: 'onReady' | 'onListen' | 'preClose',
    hook: onReadyHookHandler<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook(
    name: 'onClose',
    hook: onCloseHookHandler<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  /** Disposes of a resource, on Fastify 5. */
  addHook(
    name: 'onClose',
    hook: AsyncDisposable | Disposable,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
}
