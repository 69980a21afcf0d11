/**
 * The shapes that the files of the runtime hand to each other: types only, and narrower than the public
 * types in `types/`, which describe the same objects to the user.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RouteSchema } from '../artifact/normalize.ts'
import type { UnitFactory } from '../artifact/units.ts'
import type { FoundFunction } from '../compiled/index.ts'
import type { Place } from '../errors/caller-place.ts'
import type { ServedContext } from './application.ts'
import type { ErrorHandler } from './error-handler.ts'
import type { RouteContext } from './route-context.ts'
import type {
  kContext,
  kDecorated,
  kEndWith,
  kExtraHeaders,
  kGatherChunks,
  kInitialValues,
  kParentClass,
  kPayloadStream,
  kReplyEndTime,
  kReplyGuarded,
  kReplyHasStatusCode,
  kReplyHeaders,
  kReplyHijacked,
  kReplyInErrorHook,
  kReplyIsError,
  kReplyNextErrorHandler,
  kReplySerializer,
  kReplyStartTime,
  kReplyTrailers,
  kRoute,
  kWriteHead,
} from './symbols.ts'

/** Node's request, or whatever `routing()` was given in its place. */
export interface RawRequest extends IncomingMessage {
  originalUrl?: string
}

/** Node's response, or whatever `routing()` was given in its place. */
export interface RawReply extends ServerResponse {
  /**
   * As `writeHead` with the status that it has; makes text of usual headers itself.
   *
   * @returns whether the head is known to be ASCII
   */
  [kWriteHead]?(headers: Record<string, HeaderValue>): boolean
  /**
   * Ends with a payload after the head is written; tells whether it has, as somebody may want to hear of `write`.
   *
   * @param isAscii whether both are known to be
   */
  [kEndWith]?(payload: string | Buffer, isAscii: boolean): boolean
  /** Makes the chunks that a stream has at once one write to the socket. Returns the function that flushes them earlier. */
  [kGatherChunks]?(): () => void
}
export type RawServer = Server

export interface Logger {
  fatal(...args: unknown[]): void
  error(...args: unknown[]): void
  warn(...args: unknown[]): void
  info(...args: unknown[]): void
  debug(...args: unknown[]): void
  trace(...args: unknown[]): void
  child(bindings: object, options?: object): Logger
}

export type ChildLoggerFactory = (
  this: Instance,
  logger: Logger,
  bindings: object,
  options: object,
  request: RawRequest,
) => Logger

/** An error on its way to the client: anything can be thrown, errors are only the usual case. */
export interface Failure extends Error {
  code?: unknown
  statusCode?: number
  status?: number
  headers?: Record<string, HeaderValue>
  validation?: unknown
  validationContext?: string
  serialization?: unknown
}

export type HeaderValue = string | number | string[]

/** A stream that the body can be read from. */
export interface PayloadStream extends NodeJS.ReadableStream {
  /** How many bytes came over the wire, when the stream decodes what it reads. */
  receivedEncodedLength?: number
}

/** Any hook; the kinds differ in what they are called with. */
export type Hook = (this: Instance, ...args: unknown[]) => unknown

export type RouteHandler = (this: Instance, request: Request, reply: Reply) => unknown
export type ErrorHandlerFunction = (error: Failure, request: Request, reply: Reply) => unknown

/** What a validator of any origin answers: Ajv's boolean, or the result object of custom validators. */
export type ValidatorResult = boolean | { error?: unknown; value?: unknown } | undefined | null

export interface ValidatorFunction {
  (data: unknown, place?: ValuePlace): ValidatorResult | PromiseLike<ValidatorResult>
  errors?: unknown
  /** Of a function that Ajv has compiled. */
  readonly schemaEnv?: unknown
}

/**
 * Where a value is, for validators that write there what they make of it. Whole, as Ajv passes it on itself: what stands here
 * is not looked up elsewhere by code that is written for ES5.
 */
export interface ValuePlace {
  readonly instancePath: ''
  readonly parentData: object
  readonly parentDataProperty: string
  readonly rootData: unknown
  /** What the validator fills. */
  readonly dynamicAnchors: object
}

export type SerializerFunction = (data: unknown) => string
export type SchemaErrorFormatter = (errors: unknown[], dataVar: string) => Failure
export type ReplySerializer = (payload: unknown, statusCode: number) => unknown

export interface ValidatorTarget {
  schema: unknown
  method: string | string[] | undefined
  url: string | undefined
  httpPart: string | null
}

export interface SerializerTarget {
  schema: unknown
  method: string | string[] | undefined
  url: string | undefined
  httpStatus?: string | number | null
  contentType?: string | null
}

/** A compiler of the application's, or ours. */
export interface Compiler<Target, Compiled> {
  (target: Target): Compiled
  /** Ours, when it only looks functions up: throws when there is none for the target. Loads nothing. */
  find?(target: Target, place?: Place): FoundFunction
  /** What a compiler of the package takes its digests from; `undefined` for one of the application's. */
  readonly units?: UnitFactory | null
}

export type ValidatorCompiler = Compiler<ValidatorTarget, ValidatorFunction>
export type SerializerCompiler = Compiler<SerializerTarget, SerializerFunction>

/** The object that users hold: the root instance, or one that inherits from it. */
export interface Instance {
  readonly [kContext]: ServedContext
  readonly log: Logger
  readonly initialConfig: { readonly bodyLimit: number; readonly jsonShorthand: boolean }
  readonly server: RawServer
  readonly version: string
  after(callback: (error: Error | null, done: (error?: Error | null) => void) => void): Instance
  onClose(callback: (instance: Instance, done: (error?: Error | null) => void) => void): Instance
  close(callback?: () => void): unknown
  ready(callback?: (error?: unknown) => void): unknown
  addSchema(schema: object): Instance
  hasConstraintStrategy(name: string): boolean
  hasDecorator(name: PropertyKey): boolean
  hasRequestDecorator(name: PropertyKey): boolean
  hasReplyDecorator(name: PropertyKey): boolean
}

/** The options of one route; hooks of `onRoute` may change all of it, and fields of plugins lie in it too. */
export interface RouteOptions {
  method: string | string[]
  url: string
  path: string
  routePath: string
  prefix: string
  handler: RouteHandler
  schema?: RouteSchema | undefined
  config?: object | undefined
  constraints?: Record<string, unknown> | undefined
  version?: string | undefined
  errorHandler?: ErrorHandlerFunction | undefined
  childLoggerFactory?: ChildLoggerFactory | undefined
  bodyLimit?: number | undefined
  logLevel?: string | undefined
  logSerializers?: object | null | undefined
  attachValidation?: boolean | undefined
  schemaErrorFormatter?: SchemaErrorFormatter | undefined
  validatorCompiler?: ValidatorCompiler | undefined
  serializerCompiler?: SerializerCompiler | undefined
  exposeHeadRoute?: boolean | undefined
  prefixTrailingSlash?: string | undefined
  [more: string]: unknown
}

export interface Request {
  id: string
  params: unknown
  raw: RawRequest
  query: unknown
  log: Logger
  body: unknown
  headers: Record<string, string | undefined>
  readonly server: Instance
  readonly url: string
  readonly method: string
  readonly is404: boolean
  readonly socket: Socket & { encrypted?: boolean }
  validationError?: Failure
  [kRoute]: RouteContext
  [kPayloadStream]?: PayloadStream
  [kExtraHeaders]?: object
}

/** A trailer's value: by callback, by promise, or (deprecated) returned. */
export type Trailer = (
  reply: Reply,
  payload: unknown,
  done: (error: Error | null, value?: unknown) => void,
) => unknown

export interface Reply {
  raw: RawReply
  request: Request
  log: Logger
  readonly server: Instance
  readonly sent: boolean
  statusCode: number
  send(payload?: unknown): Reply
  code(code: number): Reply
  header(name: string, value?: HeaderValue): Reply
  headers(headers: Record<string, HeaderValue>): Reply
  getResponseTime(): number
  [kReplySerializer]: ((payload: unknown) => unknown) | null
  [kReplyIsError]: boolean
  [kReplyHeaders]: Record<string, HeaderValue>
  [kReplyTrailers]: Record<string, Trailer | undefined> | null
  [kReplyHasStatusCode]: boolean
  [kReplyHijacked]: boolean
  [kReplyStartTime]: number | undefined
  [kReplyEndTime]: number | undefined
  /**
   * `undefined`: no error so far; `null`: the fallback is next; `false`: it has run, next is the fallback without hooks;
   * `'none'`: that has run as well.
   */
  [kReplyNextErrorHandler]: ErrorHandler | null | false | 'none' | undefined
  [kReplyInErrorHook]: boolean
  [kReplyGuarded]: boolean
}

/** A value that each new Request or Reply of a context gets. */
export interface InitialValue {
  readonly key: PropertyKey
  readonly value: unknown
}

interface DecoratableClass<Class, Self> {
  readonly prototype: Self
  [kInitialValues]: InitialValue[]
  [kParentClass]?: Class
  [kDecorated]?: boolean
}

export interface RequestClass extends DecoratableClass<RequestClass, Request> {
  new (
    id: string,
    params: unknown,
    raw: RawRequest,
    query: unknown,
    log: Logger,
    route: RouteContext,
  ): Request
}

export interface ReplyClass extends DecoratableClass<ReplyClass, Reply> {
  new (raw: RawReply, request: Request, log: Logger): Reply
}
