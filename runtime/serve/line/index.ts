/**
 * Differences between the release lines of Fastify that the runtime answers like. An instance gets its row of the table, `app.line`. The
 * names of lines only matter to artifacts. The rows are in `runtime/lines/`, one folder each:
 *
 * - values: the version, methods, defaults, the error catalogue, the members of requests, replies and instances;
 * - predicates of one line, which shared code calls where the lines decide differently;
 * - additions, modules that only one row imports, so that the other's bundle lacks them. They are optional here.
 *
 * A new line is a folder with a row, an entry that passes it to `createInstance`, a profile in `compiler/servers/`, and an
 * oracle for the tests that run per line.
 */
import type { LineName } from '../../artifact/lines.ts'
import type { SchemaReading } from '../../artifact/normalize.ts'
import type { ErrorCode, FastifyErrorConstructor } from '../../errors/index.ts'
import type { BodyParser, PoisoningAction, TypeRules } from '../content-type-parsers.ts'
import type { ReadContentType } from './content-type-of-body.ts'
import type { LogController } from './log-controller.ts'
import type { Failure, Reply, ReplyClass, Request, RequestClass } from '../model.ts'

export interface Line {
  /** Part of the digests of compiled functions. */
  readonly name: LineName
  /** The release of Fastify that the line answers like. Ranges of plugins are checked against it. */
  readonly version: string
  /** The classes whose message may differ by line. */
  readonly errors: { readonly [code in ErrorCode]: FastifyErrorConstructor }
  readonly schemas: SchemaReading

  /** The classes without decorators. */
  readonly Request: RequestClass
  readonly Reply: ReplyClass
  /** Fields of new requests and replies, which can't be decorators. */
  readonly fields: Readonly<Record<'request' | 'reply', ReadonlySet<PropertyKey>>>
  /** Creates the object that gets the members of the first instance. */
  createRoot(): object
  /** Names the property of requests that `x-forwarded-host` sets, and that log lines contain. */
  readonly forwardedHost: 'host' | 'hostname'
  createLogging(options: object): LogController

  /** The methods of routes, and how their body is read. `null`: routes with that method can't have a body schema. */
  readonly methods: ReadonlyMap<string, ReadContentType | null>
  /** The methods of `all`. `undefined`: all methods of the application. */
  readonly methodsOfAll: readonly string[] | undefined
  /** False if the server answers requests of any HTTP version. */
  readonly checksHttpVersion: boolean
  /** True if request loggers get the level of their route even if it is empty. */
  readonly passesEmptyLogLevel: boolean
  /** True if `onTimeout` hooks apply before `onRequest` hooks run. Otherwise they apply only after the synchronous part of the request. */
  readonly listensForTimeoutFirst: boolean

  readonly typeRules: TypeRules
  createJsonParser(protoAction: PoisoningAction, constructorAction: PoisoningAction): BodyParser
  /** Creates the error for a body without parser. */
  createMediaTypeError(contentType: string): Failure
  /**
   * True if falsy errors of a body except `null` and `undefined` are errors too. The status of errors then is `statusOf`, and they're
   * handled in the async context of the request.
   */
  readonly takesAnyBodyError: boolean
  /** True if errors that parsers of bodies and error handlers throw are sent at once, whatever they are. */
  readonly sendsThrown: boolean
  /** Returns the form in which an error's code and message are sent. */
  toErrorText(value: unknown): unknown
  /** True if `content-length` is compared with the bytes that were received, not with those of the text. */
  readonly countsReceivedBytes: boolean

  /** True if a validator that throws is a failed validation with the status 500. */
  readonly catchesValidators: boolean
  /** True if the result of an asynchronous validator only says whether the part is valid. */
  readonly ignoresAsyncResults: boolean

  /** Returns whether a response has a content type. */
  isType(header: unknown): header is string
  /** Returns the content type with charset if it is one of JSON. */
  toJsonType(contentType: string): string | undefined
  /** Returns the media type of a content type, in lower case. `undefined` for an invalid one. */
  toMediaType(contentType: string): string | undefined
  /** True if a response is destroyed when an error can't be written because the head was sent. Otherwise `send` throws. */
  readonly destroysStarted: boolean
  /** True if a payload is written before a response ends, so that one whose connection was just destroyed finishes. */
  readonly finishesCutOff: boolean
  /** True if the fallback of error handlers keeps the content type. */
  readonly keepsErrorType: boolean
  isErrorStatus(statusCode: number): boolean
  /** Returns the status that an error has for the raw response. */
  rawStatusOf(error: Failure): number | undefined
  /** Returns the status that an error is answered with. */
  statusOf(error: Failure): number
  /** True if a function for a trailer may return its value. */
  readonly takesReturnedTrailers: boolean

  readonly limitTime?: TimeLimit | undefined
  readonly tracing?: Tracing | undefined
}

/** Answers a request whose handler takes too long. */
export type TimeLimit = (request: Request, reply: Reply, milliseconds: number) => void

/** Publishes the calls of handlers to other code of the process. */
export interface Tracing {
  /** Runs the handler of a request, in its own async context if there are subscribers. */
  run(request: Request, reply: Reply, handle: () => void): void
  /** Called with the error of `preHandler` hooks or of the handler, or with what a promise is rejected with. */
  onError(reply: Reply, error: Failure): void
  /** Called when the handler or an error handler has returned a promise. */
  onPromise(reply: Reply): void
  /** Runs what follows a settled promise. */
  settle(reply: Reply, next: () => void): void
}
