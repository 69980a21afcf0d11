import type { RouteSchema } from '../artifact/normalize.ts'
import { limitStack } from '../errors/stack-limit.ts'
import type { ErrorHandler } from './error-handler.ts'
import type {
  ChildLoggerFactory,
  Hook,
  Instance,
  RawRequest,
  ReplyClass,
  ReplySerializer,
  RequestClass,
  RouteHandler,
  RouteOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  SerializerFunction,
  ValidatorCompiler,
  ValidatorFunction,
} from './model.ts'
import type { ContentTypeParsers } from './content-type-parsers.ts'
import type { ResponseSerializers } from './serialization.ts'
import { kContext } from './symbols.ts'
import type { PartValidator } from './validation.ts'

/** What a route says of itself to handlers and hooks: the user's `config`, and where it is. */
export interface RouteConfig {
  readonly url?: string
  readonly method?: string | string[]
  readonly [more: string]: unknown
}

/** What a record is made from: the options of a route, or the few of a 404 handler. */
export type RouteContextOptions = Partial<RouteOptions> & { handler: RouteHandler }

/**
 * The record of one route (or 404 handler): all that serving a request needs.
 *
 * Fields that later declarations can still change (error handler, hooks, functions compiled from schemas)
 * are set while the application gets ready; a slot of hooks is `null` when there are none, which is what a
 * request tests.
 *
 * Fields are declared and not defined: the constructor sets each once, which makes a record three times
 * cheaper, and a starting application makes thousands.
 */
export class RouteContext {
  declare schema: RouteSchema | undefined
  declare handler: RouteHandler
  declare config: RouteConfig
  /** The instance that the route was declared on: `this` of handlers and hooks. */
  declare server: Instance
  /** `this` of `onSend` hooks: a 404 handler that `callNotFound` has entered runs those of the route. */
  declare onSendServer: Instance
  declare Request: RequestClass
  declare Reply: ReplyClass
  declare parsers: ContentTypeParsers
  declare onTimeout: readonly Hook[] | null
  declare onRequest: readonly Hook[] | null
  declare preParsing: readonly Hook[] | null
  declare preValidation: readonly Hook[] | null
  declare preSerialization: readonly Hook[] | null
  declare preHandler: readonly Hook[] | null
  declare onSend: readonly Hook[] | null
  declare onResponse: readonly Hook[] | null
  declare onError: readonly Hook[] | null
  declare onRequestAbort: readonly Hook[] | null
  declare errorHandler: ErrorHandler
  declare childLoggerFactory: ChildLoggerFactory
  declare genReqId: (raw: RawRequest) => string
  /** Bytes; `null` leaves the limit to the content type's parser. */
  declare bodyLimit: number | null
  declare logLevel: string
  declare logSerializers: object | null | undefined
  declare attachValidation: boolean | undefined
  /** Of routes only: what a 404 handler sends is serialized as ever. */
  declare replySerializer: ReplySerializer | null
  declare schemaErrorFormatter: SchemaErrorFormatter
  declare exposeHeadRoute: boolean | undefined
  declare prefixTrailingSlash: string | undefined
  declare validatorCompiler: ValidatorCompiler | undefined
  declare serializerCompiler: SerializerCompiler | undefined
  /** In the order in which requests are checked. */
  declare validators: PartValidator[] | null
  /** Loads `validators` and `serializers` before the first request; `null` once that is done. */
  declare loader: { load(): void } | null
  declare serializers: ResponseSerializers | null
  /** What requests have compiled, by schema object. */
  declare compiledValidators: WeakMap<object, ValidatorFunction> | null
  declare compiledSerializers: WeakMap<object, SerializerFunction> | null
  /** Serves `reply.callNotFound()`; `null` in a 404 handler itself. */
  declare notFound: RouteContext | null

  constructor(server: Instance, options: RouteContextOptions, config: RouteConfig) {
    const context = server[kContext]
    this.schema = options.schema
    this.handler = options.handler
    this.config = config
    this.server = server
    this.onSendServer = server
    this.Request = context.Request
    this.Reply = context.Reply
    this.parsers = context.parsers
    this.onTimeout = null
    this.onRequest = null
    this.preParsing = null
    this.preValidation = null
    this.preSerialization = null
    this.preHandler = null
    this.onSend = null
    this.onResponse = null
    this.onError = null
    this.onRequestAbort = null
    this.errorHandler = context.errorHandler
    this.childLoggerFactory = options.childLoggerFactory ?? context.childLoggerFactory
    this.genReqId = context.genReqId
    this.bodyLimit = options.bodyLimit || context.app.bodyLimit
    this.logLevel = options.logLevel || context.logLevel
    this.logSerializers = options.logSerializers
    this.attachValidation = options.attachValidation
    this.replySerializer = null
    this.schemaErrorFormatter =
      options.schemaErrorFormatter ?? context.schemaErrorFormatter ?? formatSchemaErrors
    this.exposeHeadRoute = options.exposeHeadRoute
    this.prefixTrailingSlash = options.prefixTrailingSlash
    this.validatorCompiler = options.validatorCompiler
    this.serializerCompiler = options.serializerCompiler
    this.validators = null
    this.loader = null
    this.serializers = null
    this.compiledValidators = null
    this.compiledSerializers = null
    this.notFound = null
  }
}

/** `body/name must be string, body/age must be number`. */
export function formatSchemaErrors(errors: unknown[], dataVar: string): Error {
  let text = ''
  // By index: a validator of the application's may give a text for a list.
  for (let i = 0; i !== errors.length; i++) {
    const { instancePath, message } = errors[i] as { instancePath?: string; message?: string }
    text += `${i === 0 ? '' : ', '}${dataVar}${instancePath || ''} ${message}`
  }
  return withoutStack(text)
}

/**
 * The client has made it: the stack would name who has noticed it, and looking for that takes half of the time of the whole
 * answer.
 */
function withoutStack(message: string): Error {
  const { stackTraceLimit } = Error
  if (!limitStack(0)) return new Error(message)
  const error = new Error(message)
  limitStack(stackTraceLimit)
  return error
}

/** A route that makes its record with the first request. */
export interface RouteSource {
  readonly context: RouteContext | null
  /** The record, made now if there is none. */
  getContext(): RouteContext
  /** A record of its own, not the one that requests are served from. */
  createContext(): RouteContext
}
