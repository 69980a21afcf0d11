import type * as http from 'node:http'
import type * as http2 from 'node:http2'
import type * as https from 'node:https'
import type { Socket } from 'node:net'
import type { Artifact } from '../artifact/index.ts'
import type { AjvOptions } from './basic/validator-options.ts'
import type { ConstraintStrategy } from './basic/constraint.ts'
import type { ConstructorAction, ProtoAction } from './basic/initial-config.ts'
import type { FastifyContextConfig } from './basic/context.ts'
import type { ConnectionError, FastifyError } from './error.ts'
import type { FastifyInstance } from './instance.ts'
import type {
  FastifyBaseLogger,
  FastifyChildLoggerFactory,
  FastifyLoggerOptions,
  LogController,
  PinoLoggerOptions,
} from './logger.ts'
import type { ByLine } from './basic/line.ts'
import type { Loose } from './basic/loose.ts'
import type { FastifyReply } from './reply.ts'
import type { FastifyRequest, RequestGenericInterface } from './request.ts'
import type { FastifySchemaControllerOptions, SchemaErrorFormatter } from './schema.ts'
import type { RawServerBase, RawServerDefault, ReplyOf, RequestOf } from './basic/raw.ts'
import type { FastifyServerFactory } from './basic/server.ts'

/** Decides whether to trust the proxy at an address. `hop` counts from the nearest proxy. */
type TrustProxyFunction = (address: string, hop: number) => boolean

/** The options of fast-json-stringify. */
export interface SerializerOptions {
  /** External schemas by name, besides the shared ones. */
  schema?: Record<string, Loose> | undefined
  /** Options of the Ajv that decides between the branches of `anyOf` and `if`. */
  ajv?: AjvOptions | undefined
  /** How a number becomes an integer. Default `trunc`. */
  rounding?: 'ceil' | 'floor' | 'round' | 'trunc' | undefined
  /** How large arrays are serialized. Default `default`. */
  largeArrayMechanism?: 'default' | 'json-stringify' | undefined
  /** The length from which an array is large. Default 20000. */
  largeArraySize?: number | string | bigint | undefined
}

/** How the application finds the validators and serializers that `framework build` wrote. */
export interface AotOptions {
  /** The built artifact. Default: the one that its `register.js` has registered. */
  artifact?: Artifact | undefined
  /**
   * When the routes are compared with the artifact: all of them when the application gets ready (`ready`, the default), or each of them
   * before its first request (`first-request`). A route that fails the check answers no request.
   */
  check?: 'ready' | 'first-request' | undefined
  /**
   * `artifact` (default): use what was built. `development`: compile in process what wasn't built, which needs code generation
   * and is refused when `NODE_ENV` is `production`.
   */
  mode?: 'artifact' | 'development' | undefined
}

/** The options of the router, which may be in `routerOptions` or beside it. */
export interface FastifyRouterOptions<RawServer extends RawServerBase = RawServerDefault> {
  /** Accept URL parameters whose regular expression may take exponential time. Default `false`. */
  allowUnsafeRegex?: boolean | undefined
  /** Let `/A` and `/a` be different routes. Default `true`. */
  caseSensitive?: boolean | undefined
  /** Ways to choose among routes of one method and URL, by the name of the constraint. */
  constraints?: { [name: string]: ConstraintStrategy<RawServer, unknown> } | undefined
  /** Let `/a//b` and `/a/b` be one route. Default `false`. */
  ignoreDuplicateSlashes?: boolean | undefined
  /** Let `/a` and `/a/` be one route. Default `false`. */
  ignoreTrailingSlash?: boolean | undefined
  /** The longest value of a parametric, regex or wildcard URL parameter. Default 100. */
  maxParamLength?: number | undefined
  /** Parses the query string in place of the built-in parser. */
  querystringParser?: ((str: string) => { [key: string]: unknown }) | undefined
  /** `framework/5`: has no effect. Routes are always found without code generation. */
  compile?: boolean | undefined
  /** `framework/5`: let `;` begin the query string, as it always does in `framework`. Default `false`. */
  useSemicolonDelimiter?: boolean | undefined
}

/** The option `routerOptions`. Those that `FastifyRouterOptions` lacks have an effect in `framework/5` only. */
export interface FastifyNestedRouterOptions<
  RawServer extends RawServerBase = RawServerDefault,
> extends FastifyRouterOptions<RawServer> {
  /** Answers requests without route. */
  defaultRoute?: ((req: RequestOf<RawServer>, res: ReplyOf<RawServer>) => void) | undefined
  /** Answers requests with a malformed URL. */
  onBadUrl?: FastifyPathHandler<RawServer> | undefined
  /** Answers requests with a parameter that is too long. */
  onMaxParamLength?: FastifyPathHandler<RawServer> | undefined
  /** Returns what `printRoutes` shows of a route. */
  buildPrettyMeta?: ((route: { [key: string]: unknown; store: unknown }) => object) | undefined
}

/** Answers a request before a route is found. */
export type FastifyPathHandler<RawServer extends RawServerBase = RawServerDefault> = (
  path: string,
  req: RequestOf<RawServer>,
  res: ReplyOf<RawServer>,
) => void

/** The options of the factory that do not depend on the kind of server. */
export type FastifyServerOptions<
  RawServer extends RawServerBase = RawServerDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyRouterOptions<RawServer> & {
  /** Where compiled schemas come from. */
  aot?: AotOptions | undefined
  /** Milliseconds without activity after which a socket is closed. Default 0: never. */
  connectionTimeout?: number | undefined
  /** Milliseconds that an idle connection is kept. Default 72000. */
  keepAliveTimeout?: number | undefined
  /** Requests that a connection may carry before it is closed. Default 0: no limit. */
  maxRequestsPerSocket?: number | undefined
  /** Which open connections `close` ends: all, or those without a request (`'idle'`, the default). */
  forceCloseConnections?: boolean | 'idle' | undefined
  /** Milliseconds that a client may take to send its request. Default 0: no limit. */
  requestTimeout?: number | undefined
  /** Milliseconds that a plugin may take to load. Default 10000; 0 for no limit. */
  pluginTimeout?: number | undefined
  /** The largest body, in bytes. Default 1048576. */
  bodyLimit?: number | undefined
  /** Do not log each request and response. Default `false`. */
  disableRequestLogging?: boolean | ((request: FastifyRequest) => boolean) | undefined
  /** Let each GET route answer HEAD as well. Default `true`. */
  exposeHeadRoutes?: boolean | undefined
  /** How to handle a `__proto__` key in a JSON body. Default `error`. */
  onProtoPoisoning?: ProtoAction | undefined
  /** How to handle a `constructor` key in a JSON body. Default `error`. */
  onConstructorPoisoning?: ConstructorAction | undefined
  /** `true` or options for the built-in logger; in `framework` also a logger. Default: nothing is logged. */
  logger?: boolean | (FastifyLoggerOptions<RawServer> & PinoLoggerOptions) | Logger | undefined
  /** A logger of your own. In `framework`, `logger` takes it as well. */
  loggerInstance?: Logger | undefined
  /** Makes the logger of each request; `setChildLoggerFactory` sets that of a context. */
  childLoggerFactory?: FastifyChildLoggerFactory<RawServer> | undefined
  /** The options of the router. They take precedence over the same options outside of it. */
  routerOptions?: FastifyNestedRouterOptions<RawServer> | undefined
  /** `framework/5`: answer 503 if a handler takes longer, in milliseconds, and abort `request.signal`. Default 0, no limit. */
  handlerTimeout?: number | undefined
  /** `framework/5`: `false` makes a second `setErrorHandler` in one context throw. Default `true`. */
  allowErrorHandlerOverride?: boolean | undefined
  /** `framework/5`: logs the lines about requests. Default: a `LogController`. */
  logController?: LogController | undefined
  /** Options of the serializers. */
  serializerOpts?: SerializerOptions | Record<string, unknown> | undefined
  /** Creates the server in place of the built-in one. */
  serverFactory?: FastifyServerFactory<RawServer> | undefined
  /** The header that a request's id is read from; `true` for `request-id`. Default `request-id` in `framework`, `false` (none) in `framework/5`. */
  requestIdHeader?: string | boolean | undefined
  /** The key of the request's id in the log. Default `reqId`. */
  requestIdLogLabel?: string | undefined
  /** Lets a schema consist of its properties only. Default `true`. Not in `framework/5`, where such schemas are errors. */
  jsonShorthand?: boolean | undefined
  /** Generates the id of a request from Node's request. Default: a counter. */
  genReqId?: ((req: RequestOf<RawServer>) => string) | undefined
  /** Which proxies to trust. Default `false`: none. */
  trustProxy?: boolean | string[] | ByLine<string | number, string> | TrustProxyFunction | undefined
  /** @deprecated Use `constraints.version`. */
  versioning?:
    | {
        storage(): {
          get(version: string): string | null
          set(version: string, store: Function): void
          del(version: string): void
          empty(): void
        }
        deriveVersion<Context>(req: object, ctx?: Context): string
      }
    | undefined
  /** Replaces the compilers and the store of shared schemas. */
  schemaController?: FastifySchemaControllerOptions | undefined
  /** Answer 503 to requests that arrive while closing. Default `true`. */
  return503OnClosing?: boolean | undefined
  /**
   * Read requests and write responses through internal functions of `node:http`, which takes less CPU time. It only has an effect on
   * HTTP/1 servers on Node 20, 22, 24 and 26. `false` uses nothing but Node's public interface. Default `true`.
   */
  useNodeInternals?: boolean | undefined
  /** Options and plugins of the validator. */
  ajv?:
    | {
        customOptions?: AjvOptions | undefined
        plugins?: (Function | [Function, unknown])[] | undefined
        /** `2019` and `2020` choose these drafts of JSON Schema, `JTD` JSON Type Definition; else draft-07. */
        mode?: string | undefined
        /** Overrides of `customOptions` per request part. */
        parts?:
          | { [httpPart in 'body' | 'headers' | 'params' | 'querystring']?: AjvOptions | undefined }
          | undefined
        /** Called with each new instance of Ajv, after the plugins. */
        onCreate?: ((ajv: never) => void) | undefined
      }
    | undefined
  /** Answers errors that occur before a route is found: malformed URLs, and errors of asynchronous constraints. */
  frameworkErrors?:
    | ((
        error: FastifyError,
        req: FastifyRequest<RequestGenericInterface, RawServer>,
        res: FastifyReply<
          RawServer,
          RequestOf<RawServer>,
          ReplyOf<RawServer>,
          RequestGenericInterface,
          FastifyContextConfig
        >,
      ) => void)
    | undefined
  /** The URL to route in place of the one that arrived. */
  rewriteUrl?:
    | ((
        this: FastifyInstance<RawServer, RequestOf<RawServer>, ReplyOf<RawServer>, Logger>,
        req: RequestOf<RawServer>,
      ) => string)
    | undefined
  /** Turns the violations of a schema into the error that the request fails with. Default: an error whose message names them. */
  schemaErrorFormatter?: SchemaErrorFormatter | undefined
  /** Answers a request that Node's HTTP parser can't read. */
  clientErrorHandler?: ((error: ConnectionError, socket: Socket) => void) | undefined
}

/** HTTP/2 over TLS. */
export type FastifyHttp2SecureOptions<
  Server extends http2.Http2SecureServer,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  /** Serve HTTP/2. */
  http2: true
  /** Options of TLS. */
  https: http2.SecureServerOptions
  /** Milliseconds without activity after which a session is closed. Default 72000. */
  http2SessionTimeout?: number | undefined
}

/** HTTP/2 in the clear. */
export type FastifyHttp2Options<
  Server extends http2.Http2Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  http2: true
  /** Milliseconds without activity after which a session is closed. Default 72000. */
  http2SessionTimeout?: number | undefined
}

/** HTTP/1.1 over TLS; `null` for plain HTTP. */
export type FastifyHttpsOptions<
  Server extends https.Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  https: https.ServerOptions | null
  http2?: false | undefined
}

/** HTTP/1.1. */
export type FastifyHttpOptions<
  Server extends http.Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<Server, Logger> & {
  /** Options of Node's server. */
  http?: http.ServerOptions | null | undefined
  http2?: false | undefined
}
