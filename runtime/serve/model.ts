/** Internal types of requests, replies, routes and instances. The public types of the same objects are in `types/`. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RouteSchema } from '../artifact/normalize.ts'
import type { UnitFactory } from '../artifact/units.ts'
import type { FoundFunction } from '../compiled/model.ts'
import type { Place } from '../errors/caller-place.ts'
import type { ServedContext } from './application.ts'
import type { ErrorHandler } from './error-handler.ts'
import type { Incoming, kIncoming, kOutgoing, Outgoing } from './exchange.ts'
import type { RouteContext } from './route-context.ts'
import type {
  kContext,
  kDecorated,
  kExtraHeaders,
  kInitialValues,
  kParentClass,
  kPayloadStream,
  kRawReply,
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
} from './symbols.ts'

/** The request of Node, of `inject` or of a hosted platform, or the object that was passed to `routing()`. */
export interface RawRequest extends IncomingMessage {
  originalUrl?: string
  readonly [kIncoming]?: Incoming
}

/** The response of Node, of `inject` or of a hosted platform, or the object that was passed to `routing()`. */
export interface RawReply extends ServerResponse {
  readonly [kOutgoing]?: Outgoing
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

/** A thrown value. Most are errors, but any value can be thrown. */
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
  /** The number of bytes before decoding, for a stream that decodes. */
  receivedEncodedLength?: number
}

/** A hook of any kind: the arguments differ. */
export type Hook = (this: Instance, ...args: unknown[]) => unknown

export type RouteHandler = (this: Instance, request: Request, reply: Reply) => unknown
export type ErrorHandlerFunction = (error: Failure, request: Request, reply: Reply) => unknown

/** Ajv validators return a boolean, custom validators may return an object. */
export type ValidatorResult = boolean | { error?: unknown; value?: unknown } | undefined | null

export interface ValidatorFunction {
  (data: unknown, place?: ValuePlace): ValidatorResult | PromiseLike<ValidatorResult>
  errors?: unknown
  /** Only on functions that Ajv has compiled. */
  readonly schemaEnv?: unknown
}

/** The second argument of Ajv validators: where they write a coerced or default value. It has all fields that Ajv passes. */
export interface ValuePlace {
  readonly instancePath: ''
  readonly parentData: object
  readonly parentDataProperty: string
  readonly rootData: unknown
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
  contentType?: string
}

export interface SerializerTarget {
  schema: unknown
  method: string | string[] | undefined
  url: string | undefined
  httpStatus?: string | number | null
  contentType?: string | null
}

/** A validator or serializer compiler, of the application or of this package. */
export interface Compiler<Target, Compiled> {
  (target: Target): Compiled
  /** Finds the compiled function of a target in the artifact, without loading it. Only on compilers of this package. Throws if there is none. */
  find?(target: Target, place?: Place): FoundFunction
  /** Computes digests. `undefined` for compilers of the application, `null` if finding a function takes more than its digest. */
  readonly units?: UnitFactory | null
}

export type ValidatorCompiler = Compiler<ValidatorTarget, ValidatorFunction>
export type SerializerCompiler = Compiler<SerializerTarget, SerializerFunction>

/** The instance that users call: the root, or one that inherits from it. */
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

/** The options of a route. `onRoute` hooks may change all of them, and plugins add their own. */
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
  handlerTimeout?: number | undefined
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
  readonly mediaType: string | undefined
  readonly socket: Socket & { encrypted?: boolean }
  validationError?: Failure
  [kRoute]: RouteContext
  [kPayloadStream]?: PayloadStream
  [kRawReply]?: RawReply
  [kExtraHeaders]?: object
}

/** Computes the value of a trailer: by callback or promise, or as a return value, which is deprecated. */
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
  [kReplySerializer]: ((payload: unknown) => unknown) | null
  [kReplyIsError]: boolean
  [kReplyHeaders]: Record<string, HeaderValue>
  [kReplyTrailers]: Record<string, Trailer | undefined> | null
  [kReplyHasStatusCode]: boolean
  [kReplyHijacked]: boolean
  [kReplyStartTime]: number | undefined
  [kReplyEndTime]: number | undefined
  /**
   * The handler of the next error. `undefined`: no error so far. `null`: the fallback is next. `false`: the fallback without hooks is
   * next. `'none'`: nothing is left.
   */
  [kReplyNextErrorHandler]: ErrorHandler | null | false | 'none' | undefined
  [kReplyInErrorHook]: boolean
  [kReplyGuarded]: boolean
}

/** A decorator value that each new request or reply gets. */
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
