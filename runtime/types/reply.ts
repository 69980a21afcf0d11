import type { Buffer } from 'node:buffer'
import type { FastifyContext } from './basic/context.ts'
import type { ContextConfigDefault, ReplyDefault } from './basic/defaults.ts'
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger } from './logger.ts'
import type { Loose } from './basic/loose.ts'
import type { FastifyRequest, RequestRouteOptions } from './request.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifySchema } from './schema.ts'
import type {
  RawReplyBase,
  RawRequestBase,
  RawServerBase,
  RawServerDefault,
  ReplyOf,
  RequestOf,
} from './basic/raw.ts'
import type { CodeToReplyKey, HttpKeys, ReplyKeysToCodes } from './basic/status.ts'
import type { ByLine } from './basic/line.ts'
import type {
  CallTypeProvider,
  FastifyReplyType,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  ResolveFastifyReplyType,
  SendArgs,
} from './type-provider.ts'

/** The type of a route's payload: one type, or one for each status. */
export interface ReplyGenericInterface {
  Reply?: ReplyDefault
}

type ByStatus = Partial<Record<HttpKeys, unknown>>

/** The payload of a `Reply` generic for one status. A generic without statuses applies to all of them. */
type PayloadOfStatus<Reply, Code extends ReplyKeysToCodes<keyof Reply>> = Reply extends ByStatus &
  Record<Exclude<keyof Reply, keyof ByStatus>, never>
  ? Code extends keyof Reply
    ? Reply[Code]
    : CodeToReplyKey<Code> extends keyof Reply
      ? Reply[CodeToReplyKey<Code>]
      : unknown
  : Reply

/** The payload that `send` takes after `code`. In `framework/5`, the schema of the status describes it. */
export type ResolveReplyTypeWithRouteGeneric<
  RouteGenericReply,
  Code extends ReplyKeysToCodes<keyof RouteGenericReply>,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = ByLine<
  PayloadOfGeneric<RouteGenericReply, Code, SchemaCompiler, TypeProvider>,
  Code extends keyof SchemaCompiler['response']
    ? CallTypeProvider<TypeProvider, SchemaCompiler['response'][Code], 'serializer'>
    : PayloadOfGeneric<RouteGenericReply, Code, SchemaCompiler, TypeProvider>
>

type PayloadOfGeneric<
  Reply,
  Code extends ReplyKeysToCodes<keyof Reply>,
  Schema extends FastifySchema,
  Provider extends FastifyTypeProvider,
> = ResolveFastifyReplyType<Provider, Schema, { Reply: PayloadOfStatus<Reply, Code> }>

/** The codes of a `Reply` generic. In `framework/5`, response schemas without ranges and defaults leave only their own. */
type CodesOf<Reply, Response, Codes = ReplyKeysToCodes<keyof Reply>> = ByLine<
  Codes,
  [keyof Response] extends [never]
    ? Codes
    : [keyof Response] extends [Codes]
      ? keyof Response & Codes
      : Codes
>

type Serialize = (payload: { [key: string]: unknown }) => string

/** The methods that return the reply. `send` takes any payload of the route again, whatever status `code` has set. */
interface ReplyMethods<Reply> {
  /** Sets a header. A second `set-cookie` is added to the first. */
  header(key: string, value: Loose): Reply
  /** Sets several headers. */
  headers(values: { [key: string]: Loose }): Reply
  /** Removes a header that was set. */
  removeHeader(key: string): Reply
  /** Answers with a `location` header. The default of the status is the one set before, or 302. Only `framework` takes the status first. */
  redirect(statusCode: ByLine<number, never>, url: string): Reply
  redirect(url: string, statusCode?: number): Reply
  /** Leaves the answer to the caller, who writes it to `raw`. */
  hijack(): Reply
  /** Sets `content-type`. A JSON type gets `charset=utf-8` when it is sent, unless it names a charset. */
  type(contentType: string): Reply
  /** Serializes this reply's payload in place of the route's serializers. */
  serializer(fn: (payload: Loose) => string): Reply
  /** Sends a header after the body; `fn` computes it from the payload. */
  trailer: (
    key: string,
    fn:
      | ((reply: Reply, payload: string | Buffer | null) => Promise<string>)
      | ((
          reply: Reply,
          payload: string | Buffer | null,
          done: (err: Error | null, value?: string) => void,
        ) => void),
  ) => Reply
  /** Removes a trailer that was set. */
  removeTrailer(key: string): Reply
}

/** The fourth parameter if it isn't given. A server in second place shows the order of Fastify 5. */
type DefaultRouteOrReply<ServerOrRoute, RequestOrServer> = RequestOrServer extends RawServerBase
  ? ReplyOf<RequestOrServer>
  : ServerOrRoute extends RawServerBase
    ? RouteGenericInterface
    : ServerOrRoute

type RouteOf<ServerOrRoute, RouteOrReply> = RouteOrReply extends RawReplyBase
  ? Extract<ServerOrRoute, RouteGenericInterface>
  : RouteOrReply

/**
 * The answer to one request. `raw` is Node's own response.
 *
 * The first four parameters may have the order of Fastify 4 (server, raw request, raw reply, route) or of Fastify 5 (route,
 * server, raw request, raw reply).
 */
export interface FastifyReply<
  ServerOrRoute extends RawServerBase | RouteGenericInterface = RawServerDefault,
  RequestOrServer extends RawRequestBase | RawServerBase = RequestOf<ServerOrRoute>,
  ReplyOrRequest extends RawReplyBase | RawRequestBase = ReplyOf<ServerOrRoute>,
  RouteOrReply extends RouteGenericInterface | RawReplyBase = DefaultRouteOrReply<
    ServerOrRoute,
    RequestOrServer
  >,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  ReplyType extends FastifyReplyType = ResolveFastifyReplyType<
    TypeProvider,
    SchemaCompiler,
    RouteOf<ServerOrRoute, RouteOrReply>
  >,
> extends ReplyMethods<
  FastifyReply<
    ServerOrRoute,
    RequestOrServer,
    ReplyOrRequest,
    RouteOrReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
> {
  /** Node's response. */
  raw: RouteOrReply extends RawReplyBase ? RouteOrReply : ReplyOrRequest
  /** @deprecated Use `request.routeOptions`. */
  context: FastifyContext<ContextConfig>
  /** The logger of the request. */
  log: FastifyBaseLogger
  /** The request that this answers. */
  request: FastifyRequest<
    RouteOf<ServerOrRoute, RouteOrReply>,
    Extract<RouteOrReply extends RawReplyBase ? RequestOrServer : ServerOrRoute, RawServerBase>,
    RouteOrReply extends RawReplyBase
      ? ReplyOrRequest extends RawRequestBase
        ? ReplyOrRequest
        : RequestOf<RequestOrServer>
      : Extract<RequestOrServer, RawRequestBase>,
    SchemaCompiler,
    TypeProvider
  >
  /** `framework/5`: the options of the route that answers. */
  readonly routeOptions: Readonly<
    RequestRouteOptions<ContextConfig, ByLine<FastifySchema, SchemaCompiler>>
  >
  /** The instance of the context that the route was declared in. */
  server: FastifyInstance
  /** Sets the status, from 100 to 599; throws `FST_ERR_BAD_STATUS_CODE` otherwise. */
  code<
    Code extends CodesOf<RouteOf<ServerOrRoute, RouteOrReply>['Reply'], SchemaCompiler['response']>,
  >(
    statusCode: Code,
  ): FastifyReply<
    ServerOrRoute,
    RequestOrServer,
    ReplyOrRequest,
    RouteOrReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    ResolveReplyTypeWithRouteGeneric<
      RouteOf<ServerOrRoute, RouteOrReply>['Reply'],
      Code,
      SchemaCompiler,
      TypeProvider
    >
  >
  /** The same as `code`. */
  status<
    Code extends CodesOf<RouteOf<ServerOrRoute, RouteOrReply>['Reply'], SchemaCompiler['response']>,
  >(
    statusCode: Code,
  ): FastifyReply<
    ServerOrRoute,
    RequestOrServer,
    ReplyOrRequest,
    RouteOrReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    ResolveReplyTypeWithRouteGeneric<
      RouteOf<ServerOrRoute, RouteOrReply>['Reply'],
      Code,
      SchemaCompiler,
      TypeProvider
    >
  >
  /** Default 200. */
  statusCode: number
  /** True if the answer was sent or hijacked. In `framework`, setting it to `true` does the same as `hijack`. */
  sent: boolean
  /** Answers: an object is serialized, text, buffers and streams go out as they are, an error goes to the error handler. */
  send(
    ...args: SendArgs<ReplyType>
  ): FastifyReply<
    ServerOrRoute,
    RequestOrServer,
    ReplyOrRequest,
    RouteOrReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >
  /** Returns a header that was set. */
  getHeader(key: string): number | string | string[] | undefined
  /** Returns all headers that were set, names in lower case. */
  getHeaders(): { [key: string]: number | string | string[] | undefined }
  /** Returns whether a header was set. */
  hasHeader(key: string): boolean
  /** Calls the not-found handler of this context. */
  callNotFound(): void
  /** The same as `elapsedTime`. */
  getResponseTime(): number
  /** Time since the request arrived, in ms. It stops when the response has ended. */
  readonly elapsedTime: number
  /** The content type without its parameters. */
  readonly mediaType: string | undefined
  /** Returns a decorator of the reply. Throws if there is none of that name. */
  getDecorator<T>(name: string | symbol): T
  /** Sends 103 with these headers, before the answer. */
  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): this
  /** Serializes a payload as `send` would. */
  serialize(payload: Loose): string | ArrayBuffer | Buffer
  /** The serializer of one of the route's responses, or of a schema that was compiled before; else `undefined`. */
  getSerializationFunction(
    httpStatus: string,
    contentType?: string,
  ): Serialize | ByLine<never, undefined>
  getSerializationFunction(schema: { [key: string]: unknown }): Serialize | ByLine<never, undefined>
  /** Compiles a schema with the route's serializer compiler and remembers it by identity. */
  compileSerializationSchema(
    schema: { [key: string]: unknown },
    httpStatus?: string,
    contentType?: string,
  ): Serialize
  /** Serializes any value with a schema, or with that of one of the route's responses. */
  serializeInput(
    input: { [key: string]: unknown },
    schema: { [key: string]: unknown },
    httpStatus?: string,
    contentType?: string,
  ): string
  serializeInput(
    input: { [key: string]: unknown },
    httpStatus: string,
    contentType?: string,
  ): unknown
  /** Settles when the response has been sent or has failed. */
  then(fulfilled: () => void, rejected: (err: Error) => void): void
  /** Returns whether a trailer was set. */
  hasTrailer(key: string): boolean
}
