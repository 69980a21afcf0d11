import type {
  ChildLoggerOptions as PinoChildLoggerOptions,
  LoggerOptions as PinoOptions,
} from 'pino'
import type { FastifyError } from './error.ts'
import type { FastifyInstance } from './instance.ts'
import type { Loose } from './basic/loose.ts'
import type { FastifyReply } from './reply.ts'
import type { FastifyRequest } from './request.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifySchema } from './schema.ts'
import type { RawServerBase, RawServerDefault, ReplyOf, RequestOf } from './basic/raw.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

/**
 * Writes one line: an object to merge into it, a message, and values for the message's placeholders.
 *
 * Wider than the type in pino 10, which refuses values that the message has no placeholder for.
 */
export interface FastifyLogFn {
  <T extends object>(obj: T, msg?: string, ...args: Loose[]): void
  (obj: unknown, msg?: string, ...args: Loose[]): void
  (msg: string, ...args: Loose[]): void
}

/** A level that something can be logged at, or `silent` to log nothing. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** Properties that every line of a child logger carries. */
export type Bindings = Record<string, Loose>

/** The options of a child logger of pino. */
export type ChildLoggerOptions = PinoChildLoggerOptions

/** The methods that every logger needs, whether it is pino's or the application's own. */
export interface FastifyBaseLogger {
  /** The lowest level that is written; custom levels are allowed. */
  level: LogLevel | (string & {})
  fatal: FastifyLogFn
  error: FastifyLogFn
  warn: FastifyLogFn
  info: FastifyLogFn
  debug: FastifyLogFn
  trace: FastifyLogFn
  silent: FastifyLogFn
  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger
}

/** @deprecated Use `FastifyBaseLogger`. */
export type FastifyLoggerInstance = FastifyBaseLogger

/** Where log lines go; called once for each line, line feed included. */
export interface FastifyLoggerStreamDestination {
  write(msg: string): void
}

/** The options of pino. */
export type PinoLoggerOptions = PinoOptions

/** A reply of any route. */
type AnyReply<Server extends RawServerBase> = FastifyReply<
  Server,
  RequestOf<Server>,
  ReplyOf<Server>,
  RouteGenericInterface
>

/** The argument of the `res` serializer: a reply, of which only the status is certain. */
export type ResSerializerReply<
  RawServer extends RawServerBase,
  RawReply extends AnyReply<RawServer>,
> = Partial<RawReply> & Pick<RawReply, 'statusCode'>

/** The options of the built-in logger that the framework itself reads; the rest goes to pino. */
export interface FastifyLoggerOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends FastifyRequest<
    RouteGenericInterface,
    RawServer,
    RequestOf<RawServer>,
    FastifySchema,
    FastifyTypeProvider
  > = FastifyRequest<RouteGenericInterface, RawServer>,
  RawReply extends AnyReply<RawServer> = AnyReply<RawServer>,
> {
  /** How the request, the reply and errors are written into a line. */
  serializers?:
    | {
        req?:
          | ((req: RawRequest) => {
              method?: string
              url?: string
              version?: string
              hostname?: string
              remoteAddress?: string
              remotePort?: number
              [key: string]: unknown
            })
          | undefined
        err?:
          | ((err: FastifyError) => {
              type: string
              message: string
              stack: string
              [key: string]: unknown
            })
          | undefined
        res?:
          | ((res: ResSerializerReply<RawServer, RawReply>) => {
              statusCode?: string | number
              [key: string]: unknown
            })
          | undefined
      }
    | undefined
  /** Default `info`. */
  level?: string | undefined
  /** A file to append to in place of standard output. */
  file?: string | undefined
  /** Has no effect, as in Fastify: use the factory option of this name. */
  genReqId?: ((req: RawRequest) => string) | undefined
  /** Where to write in place of standard output; excludes `file`. */
  stream?: FastifyLoggerStreamDestination | undefined
}

/**
 * Makes the logger of one request from the logger of its context.
 *
 * `bindings` holds the request id; `childLoggerOpts` the route's `logLevel` and `logSerializers`.
 */
export interface FastifyChildLoggerFactory<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RequestOf<RawServer> = RequestOf<RawServer>,
  RawReply extends ReplyOf<RawServer> = ReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> {
  (
    this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
    logger: Logger,
    bindings: Bindings,
    childLoggerOpts: ChildLoggerOptions,
    rawReq: RawRequest,
  ): Logger
}

/** The option `logController` of `framework/5`: logs the lines about requests. Derive a class from `LogController` to log others. */
export interface LogController {
  /** The option of the constructor: `true`, or a function of the request, to log no lines. */
  disableRequestLogging: boolean | ((request: Loose) => boolean)
  /** The key of the request's id in the log. Default `reqId`. */
  requestIdLogLabel: string
  /** Returns whether the other methods log nothing about a request. */
  isLogDisabled(request: Loose): boolean
  /** A request has arrived. */
  incomingRequest(request: Loose, reply: Loose, metadata?: Loose): void
  /** The reply was sent, or failed. */
  requestCompleted(error: Loose, request: Loose, reply: Loose, metadata?: Loose): void
  /** The default error handler answers an error. */
  defaultErrorLog(error: Loose, request: Loose, reply: Loose, metadata?: Loose): void
  /** A stream that is sent has failed. */
  streamError(error: Loose, request: Loose, reply: Loose, metadata?: Loose): void
  /** No route matches, and no 404 handler is set. */
  routeNotFound(request: Loose, reply: Loose, metadata?: Loose): void
  /** The head of the response could not be written. */
  writeHeadError(error: Loose, request: Loose, reply: Loose, metadata?: Loose): void
  /** The serializer of an error's response has failed. */
  serializerError(
    error: Loose,
    request: Loose,
    reply: Loose,
    metadata: { statusCode: number },
  ): void
  /** A request got 503 because the server is closing. */
  serviceUnavailable(logger: FastifyBaseLogger, server: Loose): void
}

/** The class of `LogController`, in `framework/5`. */
export type LogControllerClass = new (options?: {
  disableRequestLogging?: boolean | ((request: Loose) => boolean) | undefined
  requestIdLogLabel?: string | undefined
}) => LogController
