import type * as http from 'node:http'
import type * as http2 from 'node:http2'
import type * as https from 'node:https'
import { errorCodes as catalogue } from './errors/index.ts'
import { createInstance } from './instance/index.ts'
// The names that the namespace below takes.
// oxfmt-ignore
import type {
  AddContentTypeParser, ConnectionError, ConstructorAction, ContextConfigDefault,
  DoneFuncWithErrOrRes, FastifyBaseLogger, FastifyBodyParser, FastifyContentTypeParser,
  FastifyContext, FastifyContextConfig, FastifyError, FastifyErrorCodes, FastifyHttp2Options,
  FastifyHttp2SecureOptions, FastifyHttpOptions, FastifyHttpsOptions, FastifyInstance,
  FastifyListenOptions, FastifyLogFn, FastifyLoggerInstance, FastifyLoggerOptions, FastifyPlugin,
  FastifyPluginAsync, FastifyPluginCallback, FastifyPluginOptions, FastifyRegister,
  FastifyRegisterOptions, FastifyReply, FastifyRequest, FastifySchema, FastifySchemaCompiler,
  FastifyServerFactory, FastifyServerFactoryHandler, FastifyServerOptions, FastifyTypeProvider,
  FastifyTypeProviderDefault, getDefaultJsonParser, hasContentTypeParser, HookHandlerDoneFunction,
  HTTPMethods, InjectOptions, LightMyRequestCallback, LightMyRequestChain, LightMyRequestResponse,
  LogLevel, onCloseAsyncHookHandler, onCloseHookHandler, onErrorAsyncHookHandler,
  onErrorHookHandler, onReadyAsyncHookHandler, onReadyHookHandler, onRegisterHookHandler,
  onRequestAbortAsyncHookHandler, onRequestAbortHookHandler, onRequestAsyncHookHandler,
  onRequestHookHandler, onResponseAsyncHookHandler, onResponseHookHandler, onRouteHookHandler,
  onSendAsyncHookHandler, onSendHookHandler, onTimeoutAsyncHookHandler, onTimeoutHookHandler,
  preHandlerAsyncHookHandler, preHandlerHookHandler, preParsingAsyncHookHandler,
  preParsingHookHandler, preSerializationAsyncHookHandler, preSerializationHookHandler,
  preValidationAsyncHookHandler, preValidationHookHandler, PrintRoutesOptions, ProtoAction,
  RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerBase, RawServerDefault,
  RegisterOptions, RequestBodyDefault, RequestGenericInterface, RequestHeadersDefault,
  RequestParamsDefault, RequestPayload, RequestQuerystringDefault, RouteGenericInterface,
  RouteHandler, RouteHandlerMethod, RouteOptions, RouteShorthandMethod, RouteShorthandOptions,
  RouteShorthandOptionsWithHandler, ValidationResult,
} from './types/index.ts'

export type * from './types/index.ts'

/** The class of every error that the framework makes, by its code. */
export const errorCodes: FastifyErrorCodes = catalogue

/** An instance can be awaited: it settles when what was registered so far has loaded. */
type Thenable<Instance> = Instance & PromiseLike<Instance>

/**
 * Creates an application. The options decide which kind of server it sits on.
 *
 * @throws FST_ERR_* for invalid options
 */
export function framework<
  Server extends http2.Http2SecureServer,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  opts: FastifyHttp2SecureOptions<Server, Logger>,
): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
export function framework<
  Server extends http2.Http2Server,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  opts: FastifyHttp2Options<Server, Logger>,
): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
export function framework<
  Server extends https.Server,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  opts: FastifyHttpsOptions<Server, Logger>,
): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
export function framework<
  Server extends http.Server,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  opts?: FastifyHttpOptions<Server, Logger>,
): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
export function framework(opts?: unknown): unknown {
  return createInstance(opts)
}

/** The factory's type: every form of the call, and what stands on the function. */
export type FrameworkFactory = typeof framework

// `require('framework')` gives the function itself, with everything on it.
Object.assign(framework, { default: framework, framework, fastify: framework, errorCodes })

/**
 * The function as a namespace: `framework.FastifyInstance` after a default import, and all of it after
 * `import framework = require('framework')`, where TypeScript sees nothing of the module but the function.
 */
export declare namespace framework {
  const self: FrameworkFactory
  export { self as default, self as fastify, self as framework, errorCodes }
  // oxfmt-ignore
  export type {
    AddContentTypeParser, ConnectionError, ConstructorAction, ContextConfigDefault,
    DoneFuncWithErrOrRes, FastifyBaseLogger, FastifyBodyParser, FastifyContentTypeParser,
    FastifyContext, FastifyContextConfig, FastifyError, FastifyErrorCodes, FastifyHttp2Options,
    FastifyHttp2SecureOptions, FastifyHttpOptions, FastifyHttpsOptions, FastifyInstance,
    FastifyListenOptions, FastifyLogFn, FastifyLoggerInstance, FastifyLoggerOptions,
    FastifyPlugin, FastifyPluginAsync, FastifyPluginCallback, FastifyPluginOptions,
    FastifyRegister, FastifyRegisterOptions, FastifyReply, FastifyRequest, FastifySchema,
    FastifySchemaCompiler, FastifyServerFactory, FastifyServerFactoryHandler,
    FastifyServerOptions, FastifyTypeProvider, FastifyTypeProviderDefault, getDefaultJsonParser,
    hasContentTypeParser, HookHandlerDoneFunction, HTTPMethods, InjectOptions,
    LightMyRequestCallback, LightMyRequestChain, LightMyRequestResponse, LogLevel,
    onCloseAsyncHookHandler, onCloseHookHandler, onErrorAsyncHookHandler, onErrorHookHandler,
    onReadyAsyncHookHandler, onReadyHookHandler, onRegisterHookHandler,
    onRequestAbortAsyncHookHandler, onRequestAbortHookHandler, onRequestAsyncHookHandler,
    onRequestHookHandler, onResponseAsyncHookHandler, onResponseHookHandler, onRouteHookHandler,
    onSendAsyncHookHandler, onSendHookHandler, onTimeoutAsyncHookHandler, onTimeoutHookHandler,
    preHandlerAsyncHookHandler, preHandlerHookHandler, preParsingAsyncHookHandler,
    preParsingHookHandler, preSerializationAsyncHookHandler, preSerializationHookHandler,
    preValidationAsyncHookHandler, preValidationHookHandler, PrintRoutesOptions, ProtoAction,
    RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerBase, RawServerDefault,
    RegisterOptions, RequestBodyDefault, RequestGenericInterface, RequestHeadersDefault,
    RequestParamsDefault, RequestPayload, RequestQuerystringDefault, RouteGenericInterface,
    RouteHandler, RouteHandlerMethod, RouteOptions, RouteShorthandMethod, RouteShorthandOptions,
    RouteShorthandOptionsWithHandler, ValidationResult,
  }
}

export { framework as default, framework as fastify, framework as 'module.exports' }
