import type { RouteSchema } from '../artifact/normalize.ts'
import { limitStack } from '../errors/stack-limit.ts'
import type { ErrorHandler } from './error-handler.ts'
import type { Line } from './line/index.ts'
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

/** The `config` of a route: the user's, with `url` and `method`. */
export interface RouteConfig {
  readonly url?: string
  readonly method?: string | string[]
  readonly [more: string]: unknown
}

/** The options of a route, or of a 404 handler, which has few. */
export type RouteContextOptions = Partial<RouteOptions> & { handler: RouteHandler }

/**
 * The prepared route or 404 handler: everything that serving a request needs.
 *
 * The error handler, the hooks and the compiled functions are set when the application is ready. Hooks are `null` if there are none.
 */
export class RouteContext {
  declare readonly line: Line
  declare schema: RouteSchema | undefined
  declare handler: RouteHandler
  declare config: RouteConfig
  /** The instance that the route was declared on. It's `this` in handlers and hooks. */
  declare server: Instance
  /** `this` in `onSend` hooks. After `callNotFound` it's the instance of the original route. */
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
  /** In bytes. `null` for the limit of the content type parser. */
  declare bodyLimit: number | null
  /** In milliseconds. 0 for none. */
  declare handlerTimeout: number
  declare logLevel: string
  declare logSerializers: object | null | undefined
  declare attachValidation: boolean | undefined
  /** Always `null` for 404 handlers. */
  declare replySerializer: ReplySerializer | null
  declare schemaErrorFormatter: SchemaErrorFormatter
  declare exposeHeadRoute: boolean | undefined
  declare prefixTrailingSlash: string | undefined
  declare validatorCompiler: ValidatorCompiler | undefined
  declare serializerCompiler: SerializerCompiler | undefined
  /** In the order of validation. */
  declare validators: PartValidator[] | null
  /** Loads `validators` and `serializers` before the first request. `null` once they are loaded. */
  declare loader: { load(): void } | null
  declare serializers: ResponseSerializers | null
  /** Functions that handlers have compiled, by schema object. */
  declare compiledValidators: WeakMap<object, ValidatorFunction> | null
  declare compiledSerializers: WeakMap<object, SerializerFunction> | null
  /** The route for `reply.callNotFound()`. `null` for 404 handlers. */
  declare notFound: RouteContext | null

  constructor(server: Instance, options: RouteContextOptions, config: RouteConfig) {
    const context = server[kContext]
    this.line = context.app.line
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
    this.handlerTimeout = 0
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

/** The default `schemaErrorFormatter`. Example: `body/name must be string, body/age must be number`. */
export function formatSchemaErrors(errors: unknown[], dataVar: string): Error {
  let text = ''
  // By index, because a custom validator may return a string instead of a list.
  for (let i = 0; i !== errors.length; i++) {
    const { instancePath, message } = errors[i] as { instancePath?: string; message?: string }
    text += `${i === 0 ? '' : ', '}${dataVar}${instancePath || ''} ${message}`
  }
  return withoutStack(text)
}

/** Creates an error without stack. The client has caused it, and capturing the stack takes half of the time of the answer. */
function withoutStack(message: string): Error {
  const { stackTraceLimit } = Error
  if (!limitStack(0)) return new Error(message)
  const error = new Error(message)
  limitStack(stackTraceLimit)
  return error
}

/** A registered route, whose `RouteContext` is created by the first request. */
export interface RouteSource {
  readonly context: RouteContext | null
  /** Returns `context`, and creates it first if necessary. */
  getContext(): RouteContext
  /** Creates a separate one, for printing. */
  createContext(): RouteContext
}
