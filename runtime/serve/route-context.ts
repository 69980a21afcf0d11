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
type RouteContextOptions = Partial<RouteOptions> & { handler: RouteHandler }

/** The prepared route or 404 handler: everything that serving a request needs. Kinds without hooks are `null`. */
export class RouteContext {
  readonly line: Line
  schema: RouteSchema | undefined
  handler: RouteHandler
  config: RouteConfig
  /** The instance that the route was declared on. It's `this` in handlers and hooks. */
  server: Instance
  /** `this` in `onSend` hooks. After `callNotFound` it's the instance of the original route. */
  onSendServer: Instance
  Request: RequestClass
  Reply: ReplyClass
  parsers: ContentTypeParsers
  onTimeout: readonly Hook[] | null = null
  onRequest: readonly Hook[] | null = null
  preParsing: readonly Hook[] | null = null
  preValidation: readonly Hook[] | null = null
  preSerialization: readonly Hook[] | null = null
  preHandler: readonly Hook[] | null = null
  onSend: readonly Hook[] | null = null
  onResponse: readonly Hook[] | null = null
  onError: readonly Hook[] | null = null
  onRequestAbort: readonly Hook[] | null = null
  errorHandler: ErrorHandler
  childLoggerFactory: ChildLoggerFactory
  genReqId: (raw: RawRequest) => string
  /** In bytes. `null` for the limit of the content type parser. */
  bodyLimit: number | null
  /** In milliseconds. 0 for none. */
  handlerTimeout: number
  logLevel: string
  logSerializers: object | null | undefined
  attachValidation: boolean | undefined
  /** Always `null` for 404 handlers. */
  replySerializer: ReplySerializer | null = null
  schemaErrorFormatter: SchemaErrorFormatter
  exposeHeadRoute: boolean | undefined
  prefixTrailingSlash: string | undefined
  validatorCompiler: ValidatorCompiler | undefined
  serializerCompiler: SerializerCompiler | undefined
  /** In the order of validation. */
  validators: PartValidator[] | null = null
  /** Loads `validators` and `serializers`, or throws why the route can't be served. `null` if there is nothing to load. */
  loader: { load(): void } | null = null
  serializers: ResponseSerializers | null = null
  /** Functions that handlers have compiled, by schema object. */
  compiledValidators: WeakMap<object, ValidatorFunction> | null = null
  compiledSerializers: WeakMap<object, SerializerFunction> | null = null
  /** The route for `reply.callNotFound()`. `null` for 404 handlers. */
  notFound: RouteContext | null = null

  /** Sets what a 404 handler has. `DeclaredRoute` replaces what differs for a route. */
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
    this.errorHandler = context.errorHandler
    this.childLoggerFactory = options.childLoggerFactory ?? context.childLoggerFactory
    this.genReqId = context.genReqId
    this.bodyLimit = context.app.bodyLimit
    this.handlerTimeout =
      (this.line.limitTime && (options.handlerTimeout || context.app.options.handlerTimeout)) || 0
    this.logLevel = context.logLevel
    this.logSerializers = options.logSerializers
    this.attachValidation = options.attachValidation
    this.schemaErrorFormatter = context.schemaErrorFormatter ?? formatSchemaErrors
    this.validatorCompiler = options.validatorCompiler
    this.serializerCompiler = options.serializerCompiler
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

/** A registered route, whose `RouteContext` is created on first use. */
export interface RouteSource {
  readonly context: RouteContext | null
  /** Returns `context`, and creates it first if necessary. */
  getContext(): RouteContext
  /** Creates a separate one, for printing. */
  createContext(): RouteContext
}
