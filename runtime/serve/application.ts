/** The parts of an application and of a context that serving a request needs: types only. */
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
import type { ReadContentType } from './line/content-type-of-body.ts'
import type { Line } from './line/index.ts'
import type { LogController } from './line/log-controller.ts'
import type { RouteSource } from './route-context.ts'

/** The whole application is in `context/application.ts`. */
export interface ServedApplication {
  readonly line: Line
  readonly logging: LogController
  readonly options: {
    ajv: unknown
    handlerTimeout: number | undefined
    serializerOpts: unknown
    rewriteUrl: ((this: Instance, raw: RawRequest) => unknown) | undefined
    frameworkErrors: ((error: Failure, request: Request, reply: Reply) => unknown) | undefined
  }
  readonly root: Instance
  readonly router: Router<RawRequest, RawReply, RouteSource>
  readonly state: { closing: boolean }
  readonly logger: Logger
  readonly hasLogger: boolean
  /** The methods of routes, with those that the application has added, and how their body is read. */
  readonly methods: Map<string, ReadContentType | null>
  readonly validateHttpVersion: (version: string) => boolean
  readonly return503OnClosing: boolean
  /** Bytes. */
  readonly bodyLimit: number
}

/** The context of a route. The whole context is in `context/index.ts`. */
export interface ServedContext {
  readonly app: ServedApplication
  readonly logLevel: string
  readonly parsers: ContentTypeParsers
  readonly Request: RequestClass
  readonly Reply: ReplyClass
  /** Compilers for the schemas that handlers compile. */
  readonly schemas: {
    readonly validator: { provide(options: unknown): ValidatorCompiler }
    readonly serializer: { provide(options: unknown): SerializerCompiler }
  }
  readonly errorHandler: ErrorHandler
  readonly childLoggerFactory: ChildLoggerFactory
  readonly genReqId: (raw: RawRequest) => string
  readonly schemaErrorFormatter: SchemaErrorFormatter | null
}
