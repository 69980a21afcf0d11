import type { Router } from '../router/index.ts'
import type { ErrorHandler } from './error-handler.ts'
import type {
  ChildLoggerFactory,
  Failure,
  Instance,
  Logger,
  RawReply,
  RawRequest,
  Reply,
  ReplyClass,
  Request,
  RequestClass,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from './model.ts'
import type { ContentTypeParsers } from './content-type-parsers.ts'
import type { RouteSource } from './route-context.ts'

/** What serving a request needs of the application; `context/application.ts` has all of it. */
export interface ServedApplication {
  readonly options: {
    ajv: unknown
    serializerOpts: unknown
    rewriteUrl: ((this: Instance, raw: RawRequest) => unknown) | undefined
    frameworkErrors: ((error: Failure, request: Request, reply: Reply) => unknown) | undefined
  }
  readonly root: Instance
  readonly router: Router<RawRequest, RawReply, RouteSource>
  readonly state: { closing: boolean }
  readonly logger: Logger
  readonly hasLogger: boolean
  readonly disableRequestLogging: boolean
  readonly requestIdLogLabel: string
  /** Methods beyond those of 4.21, and whether requests with them have a body. */
  readonly methods: Map<string, boolean>
  readonly validateHttpVersion: (version: string) => boolean
  readonly return503OnClosing: boolean
  /** Bytes. */
  readonly bodyLimit: number
}

/** What serving a request needs of the context of its route; `context/index.ts` has all of it. */
export interface ServedContext {
  readonly app: ServedApplication
  readonly logLevel: string
  readonly parsers: ContentTypeParsers
  readonly Request: RequestClass
  readonly Reply: ReplyClass
  /** For what handlers compile while they serve a request. */
  readonly schemas: {
    readonly validatorCompiler: ValidatorCompiler | undefined
    readonly serializerCompiler: SerializerCompiler | undefined
    setupValidator(options: unknown): void
    setupSerializer(options: unknown): void
  }
  readonly errorHandler: ErrorHandler
  readonly childLoggerFactory: ChildLoggerFactory
  readonly genReqId: (raw: RawRequest) => string
  readonly schemaErrorFormatter: SchemaErrorFormatter | null
}
