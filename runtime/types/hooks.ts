/**
 * Hooks. These run for each request:
 *
 *     onRequest        first, before the body is read
 *     preParsing       may replace the stream of the body
 *     preValidation    with the parsed body, before any part is validated
 *     preHandler       when every part is valid, before the handler
 *     preSerialization may replace a payload that is to be serialized: not text, buffers, streams and null
 *     onSend           may replace the serialized payload
 *     onResponse       when the response has been sent
 *     onError          before an error is sent, to report it; cannot change it and must not answer
 *     onTimeout        when the socket has timed out; an answer can no longer be sent
 *     onRequestAbort   when the client closes the connection before the answer
 *
 * Each has two forms, one that calls `done` and one that returns a promise; a hook is written in one of them. In all
 * of them `this` is the instance of the context that the route was declared in.
 */
import type { Readable } from 'node:stream'
import type { ContextConfigDefault } from './basic/defaults.ts'
import type { RawServerBase, RawServerDefault, ReplyOf, RequestOf } from './basic/raw.ts'
import type { FastifyError } from './error.ts'
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger } from './logger.ts'
import type { FastifyPluginOptions } from './plugin.ts'
import type { RegisterOptions } from './register.ts'
import type { FastifyReply } from './reply.ts'
import type { FastifyRequest } from './request.ts'
import type { RouteGenericInterface, RouteOptions } from './route.ts'
import type { FastifySchema } from './schema.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

/** Continues, or fails the request with the error. */
export type HookHandlerDoneFunction = <TError extends Error = FastifyError>(err?: TError) => void

/** The stream of a body. A hook that decodes it sets `receivedEncodedLength`, so that `bodyLimit` applies to the encoded bytes too. */
export interface RequestPayload extends Readable {
  receivedEncodedLength?: number
}

/** Continues with the same payload or with another one, or fails the request. */
export interface DoneFuncWithErrOrRes {
  (): void
  <TError extends Error = FastifyError>(err: TError): void
  (err: null, res: unknown): void
}

/** A hook for requests. `More` are its arguments after the reply. */
type Hook<
  More extends unknown[],
  Result,
  Server extends RawServerBase,
  Request extends RequestOf<Server>,
  Reply extends ReplyOf<Server>,
  Route extends RouteGenericInterface,
  Config,
  Schema extends FastifySchema,
  Provider extends FastifyTypeProvider,
  Logger extends FastifyBaseLogger,
> = (
  this: FastifyInstance<Server, Request, Reply, Logger, Provider>,
  request: FastifyRequest<Route, Server, Request, Schema, Provider, Config, Logger>,
  reply: FastifyReply<Server, Request, Reply, Route, Config, Schema, Provider>,
  ...more: More
) => Result

type Async = Promise<unknown>

type Done = [done: HookHandlerDoneFunction]

/** Five hooks that only differ in when they run. */
type RequestHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Config = ContextConfigDefault,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = Hook<Done, void, Server, Request, Reply, Route, Config, Schema, Provider, Logger>

/** An async hook with a request and a reply. */
type RequestAsyncHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Config = ContextConfigDefault,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = Hook<[], Async, Server, Request, Reply, Route, Config, Schema, Provider, Logger>

export type {
  RequestHookHandler as onRequestHookHandler,
  RequestAsyncHookHandler as onRequestAsyncHookHandler,
  RequestHookHandler as preValidationHookHandler,
  RequestAsyncHookHandler as preValidationAsyncHookHandler,
  RequestHookHandler as preHandlerHookHandler,
  RequestAsyncHookHandler as preHandlerAsyncHookHandler,
  RequestHookHandler as onResponseHookHandler,
  RequestAsyncHookHandler as onResponseAsyncHookHandler,
  RequestHookHandler as onTimeoutHookHandler,
  RequestAsyncHookHandler as onTimeoutAsyncHookHandler,
}

type Stream = [payload: RequestPayload]
type StreamAndDone = [
  payload: RequestPayload,
  done: <TError extends Error = FastifyError>(err?: TError | null, res?: RequestPayload) => void,
]

/** A `preParsing` hook: gets the body as a stream, and may return another stream. */
export type preParsingHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Config = ContextConfigDefault,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = Hook<StreamAndDone, void, Server, Request, Reply, Route, Config, Schema, Provider, Logger>

/** An async `preParsing` hook. */
export type preParsingAsyncHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Config = ContextConfigDefault,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = Hook<Stream, Async, Server, Request, Reply, Route, Config, Schema, Provider, Logger>

type Replacing<Payload> = [payload: Payload, done: DoneFuncWithErrOrRes]

/** Two hooks that see, and may replace, the payload. */
type PayloadHookHandler<
  Payload = unknown,
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Config = ContextConfigDefault,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = Hook<Replacing<Payload>, void, Server, Request, Reply, Route, Config, Schema, Provider, Logger>

/** An async hook that may replace the payload. */
type PayloadAsyncHookHandler<
  Payload = unknown,
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Config = ContextConfigDefault,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = Hook<[payload: Payload], Async, Server, Request, Reply, Route, Config, Schema, Provider, Logger>

export type {
  PayloadHookHandler as preSerializationHookHandler,
  PayloadAsyncHookHandler as preSerializationAsyncHookHandler,
  PayloadHookHandler as onSendHookHandler,
  PayloadAsyncHookHandler as onSendAsyncHookHandler,
}

type Reporting<TError> = [error: TError, done: () => void]

/** An `onError` hook: sees an error before it is sent, and can't change the answer. */
export type onErrorHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Config = ContextConfigDefault,
  TError extends Error = FastifyError,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = Hook<Reporting<TError>, void, Server, Request, Reply, Route, Config, Schema, Provider, Logger>

/** An async `onError` hook. */
export type onErrorAsyncHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Config = ContextConfigDefault,
  TError extends Error = FastifyError,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = Hook<[error: TError], Async, Server, Request, Reply, Route, Config, Schema, Provider, Logger>

/** An `onRequestAbort` hook: runs when the client closes the connection before the answer. */
export type onRequestAbortHookHandler<
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
  done: HookHandlerDoneFunction,
) => void

/** An async `onRequestAbort` hook. */
export type onRequestAbortAsyncHookHandler<
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
) => Promise<unknown>

/** Runs synchronously for each declared route, and for the HEAD route that is added with a GET route. Changes of `opts` change the route. */
export type onRouteHookHandler<
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
  opts: RouteOptions<Server, Request, Reply, Route, Config, Schema, Provider> & {
    /** As declared, without the prefix. */
    routePath: string
    /** The same as `url`. */
    path: string
    prefix: string
  },
) => Promise<unknown> | void

/** Runs when a plugin gets a context of its own, before the plugin's function; `instance` is the new context. */
export type onRegisterHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Options extends FastifyPluginOptions = FastifyPluginOptions,
> = (
  this: FastifyInstance<Server, Request, Reply, Logger, Provider>,
  instance: FastifyInstance<Server, Request, Reply, Logger, Provider>,
  opts: RegisterOptions & Options,
  done: HookHandlerDoneFunction,
) => Promise<unknown> | void

/** Runs when every plugin is loaded, before the server listens. */
export type onReadyHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<Server, Request, Reply, Logger, Provider>,
  done: HookHandlerDoneFunction,
) => void

/** An async `onReady` hook. */
export type onReadyAsyncHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<Server, Request, Reply, Logger, Provider>) => Promise<unknown>

/** Runs when `close` was called and the server no longer listens, children before their parents. */
export type onCloseHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<Server, Request, Reply, Logger, Provider>,
  instance: FastifyInstance<Server, Request, Reply, Logger, Provider>,
  done: HookHandlerDoneFunction,
) => void

/** An async `onClose` hook. */
export type onCloseAsyncHookHandler<
  Server extends RawServerBase = RawServerDefault,
  Request extends RequestOf<Server> = RequestOf<Server>,
  Reply extends ReplyOf<Server> = ReplyOf<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<Server, Request, Reply, Logger, Provider>,
  instance: FastifyInstance<Server, Request, Reply, Logger, Provider>,
) => Promise<unknown>

/** `onListen` runs when the server listens; `preClose` when `close` was called, before the server closes: new requests get 503. */
export type {
  onReadyHookHandler as onListenHookHandler,
  onReadyAsyncHookHandler as onListenAsyncHookHandler,
  onReadyHookHandler as preCloseHookHandler,
  onReadyAsyncHookHandler as preCloseAsyncHookHandler,
}
