import type { RouteSchema } from './artifact/normalize.ts'
import type { Place } from './caller-place.ts'
import type { ErrorHandler } from './error-handler.ts'
import type {
  ChildLoggerFactory,
  Hook,
  Instance,
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
import type { ContentTypeParsers } from './parser.ts'
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
 */
export class RouteContext {
  schema: RouteSchema | undefined
  handler: RouteHandler
  config: RouteConfig
  /** The instance that the route was declared on: `this` of handlers and hooks. */
  server: Instance
  /** `this` of `onSend` hooks: a 404 handler that `callNotFound` has entered runs those of the route. */
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
  /** Bytes; `null` leaves the limit to the content type's parser. */
  bodyLimit: number | null
  logLevel: string
  logSerializers: object | null | undefined
  attachValidation: boolean | undefined
  /** Of routes only: what a 404 handler sends is serialized as ever. */
  replySerializer: ReplySerializer | null = null
  schemaErrorFormatter: SchemaErrorFormatter
  exposeHeadRoute: boolean | undefined
  prefixTrailingSlash: string | undefined
  /** A HEAD route that was made for a GET route. */
  isTwin: boolean
  validatorCompiler: ValidatorCompiler | undefined
  serializerCompiler: SerializerCompiler | undefined
  /** In the order in which requests are checked. */
  validators: PartValidator[] | null = null
  /** `file:line:column`; only known when no artifact can tell. */
  declaredAt: Place | undefined
  /** Loads `validators` and `serializers` before the first request; `null` once that is done. */
  loader: { load(): void } | null = null
  serializers: ResponseSerializers | null = null
  /** What requests have compiled, by schema object. */
  compiledValidators: WeakMap<object, ValidatorFunction> | null = null
  compiledSerializers: WeakMap<object, SerializerFunction> | null = null
  /** Serves `reply.callNotFound()`; `null` in a 404 handler itself. */
  notFound: RouteContext | null = null

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
    this.errorHandler = context.errorHandler
    this.childLoggerFactory = options.childLoggerFactory ?? context.childLoggerFactory
    this.bodyLimit = options.bodyLimit || context.app.bodyLimit
    this.logLevel = options.logLevel || context.logLevel
    this.logSerializers = options.logSerializers
    this.attachValidation = options.attachValidation
    this.schemaErrorFormatter =
      options.schemaErrorFormatter ?? context.schemaErrorFormatter ?? formatSchemaErrors
    this.exposeHeadRoute = options.exposeHeadRoute
    this.prefixTrailingSlash = options.prefixTrailingSlash
    this.isTwin = false
    this.validatorCompiler = options.validatorCompiler
    this.serializerCompiler = options.serializerCompiler
  }
}

/** `body/name must be string, body/age must be number`. */
function formatSchemaErrors(errors: unknown[], dataVar: string): Error {
  const lines = (errors as { instancePath?: string; message?: string }[]).map(
    ({ instancePath, message }) => `${dataVar}${instancePath || ''} ${message}`,
  )
  return new Error(lines.join(', '))
}
