import type { Socket } from 'node:net'
import type { ServerOptions } from '../adapter/create-server.ts'
import { errorCodes } from '../errors/index.ts'
import { createInitialConfig, defaultInitOptions } from './initial-config.ts'
import type { ApplicationLine } from './line.ts'
import { createLogger } from '../serve/logger.ts'
import type {
  ChildLoggerFactory,
  Failure,
  Instance,
  Logger,
  RawRequest,
  Reply,
  Request,
  SchemaErrorFormatter,
} from '../serve/model.ts'
import type { PoisoningAction } from '../serve/content-type-parsers.ts'
import { createRequestIdGenerator } from '../serve/request/request-id.ts'
import type { ConstraintStrategy } from '../router/index.ts'
import type { SchemaControllerOptions } from './schema.ts'
import type { TrustProxy } from '../serve/request/trust-proxy.ts'
import type { AotOptions } from '../types/options.ts'

/** The complete factory options, which the server and the logger also read. */
export interface FactoryOptions extends ServerOptions {
  ajv: { customOptions: Record<string, unknown>; plugins: unknown[] }
  allowUnsafeRegex: boolean | undefined
  aot: AotOptions | undefined
  bodyLimit: number
  caseSensitive: boolean | undefined
  childLoggerFactory: ChildLoggerFactory | undefined
  clientErrorHandler: ((this: Instance, error: Error, socket: Socket) => void) | undefined
  constraints: Record<string, ConstraintStrategy<RawRequest>> | undefined
  exposeHeadRoutes: boolean
  forceCloseConnections: unknown
  frameworkErrors: ((error: Failure, request: Request, reply: Reply) => unknown) | undefined
  genReqId: (raw: RawRequest) => string
  handlerTimeout: number | undefined
  ignoreDuplicateSlashes: boolean | undefined
  ignoreTrailingSlash: boolean | undefined
  maxParamLength: number | undefined
  onConstructorPoisoning: PoisoningAction
  onProtoPoisoning: PoisoningAction
  pluginTimeout: number
  querystringParser: ((query: string) => unknown) | undefined
  requestIdHeader: string | false
  return503OnClosing: boolean
  rewriteUrl: ((this: Instance, raw: RawRequest) => unknown) | undefined
  schemaController: SchemaControllerOptions | undefined
  schemaErrorFormatter: SchemaErrorFormatter | undefined
  serializerOpts: Record<string, unknown> | undefined
  trustProxy: TrustProxy | undefined
  [more: string]: unknown
}

export type GivenOptions = Partial<FactoryOptions> & {
  requestIdHeader?: unknown
  versioning?: { storage: unknown; deriveVersion: unknown } | undefined
}

interface FactoryInput {
  readonly options: FactoryOptions
  readonly initialConfig: Instance['initialConfig']
  readonly logger: Logger
  readonly hasLogger: boolean
}

/**
 * Validates the factory's argument and fills in the defaults.
 *
 * @throws FST_ERR_*
 */
export function toFactoryOptions(argument: unknown, line: ApplicationLine): FactoryInput {
  assertObject(argument)
  const given = line.readOptions(argument)
  assertFactoryOptions(given)
  const requestIdHeader = line.toRequestIdHeader(given.requestIdHeader)
  const genReqId = createRequestIdGenerator(requestIdHeader, given.genReqId)
  const ajv = toAjvOptions(given.ajv)
  const { logger, hasLogger } = createLogger(given, line.forwardedHost)
  const options = {
    ...given,
    ajv,
    bodyLimit: given.bodyLimit || defaultInitOptions.bodyLimit,
    connectionTimeout: given.connectionTimeout || defaultInitOptions.connectionTimeout,
    disableRequestLogging: given['disableRequestLogging'] || false,
    genReqId,
    keepAliveTimeout: given.keepAliveTimeout || defaultInitOptions.keepAliveTimeout,
    logger,
    maxRequestsPerSocket: given.maxRequestsPerSocket || defaultInitOptions.maxRequestsPerSocket,
    onConstructorPoisoning:
      given.onConstructorPoisoning || defaultInitOptions.onConstructorPoisoning,
    onProtoPoisoning: given.onProtoPoisoning || defaultInitOptions.onProtoPoisoning,
    requestIdHeader,
    requestIdLogLabel: given['requestIdLogLabel'] || 'reqId',
    requestTimeout: given.requestTimeout || defaultInitOptions.requestTimeout,
    return503OnClosing: Object.hasOwn(given, 'return503OnClosing')
      ? (given.return503OnClosing as boolean)
      : true,
  }
  const initialConfig = createInitialConfig(options, line.config)
  const timeout = Number(given.pluginTimeout)
  return {
    logger,
    hasLogger,
    initialConfig,
    options: {
      ...options,
      constraints: line.readConstraints(given),
      exposeHeadRoutes: initialConfig.exposeHeadRoutes,
      http2SessionTimeout: initialConfig.http2SessionTimeout,
      pluginTimeout: Number.isNaN(timeout) ? defaultInitOptions.pluginTimeout : timeout,
    } as FactoryOptions,
  }
}

/** @throws FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT */
export function assertBodyLimit(limit: unknown): void {
  if (limit === undefined || (Number.isInteger(limit) && (limit as number) > 0)) return
  throw new errorCodes.FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT(limit)
}

/** @throws FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN */
export function assertSchemaErrorFormatter(
  formatter: unknown,
): asserts formatter is SchemaErrorFormatter {
  if (typeof formatter !== 'function') {
    throw new errorCodes.FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN(typeof formatter)
  }
  if (formatter.constructor.name === 'AsyncFunction') {
    throw new errorCodes.FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN('AsyncFunction')
  }
}

/** @throws FST_ERR_OPTIONS_NOT_OBJ */
function assertObject(options: unknown): asserts options is object {
  if (typeof options !== 'object') throw new errorCodes.FST_ERR_OPTIONS_NOT_OBJ()
}

/**
 * Validates options independently of each other.
 *
 * @throws FST_ERR_*
 */
function assertFactoryOptions(options: object): asserts options is GivenOptions {
  const { querystringParser, schemaController, bodyLimit } = options as Partial<FactoryOptions>
  if (querystringParser && typeof querystringParser !== 'function') {
    throw new errorCodes.FST_ERR_QSP_NOT_FN(typeof querystringParser)
  }
  const bucket: unknown = schemaController?.bucket
  if (bucket && typeof bucket !== 'function') {
    throw new errorCodes.FST_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN(typeof bucket)
  }
  assertBodyLimit(bodyLimit)
  const { schemaErrorFormatter } = options as GivenOptions
  if (schemaErrorFormatter) assertSchemaErrorFormatter(schemaErrorFormatter)
}

/**
 * Returns the complete option `ajv`.
 *
 * @throws FST_ERR_AJV_CUSTOM_OPTIONS_*
 */
function toAjvOptions(given: object | undefined): FactoryOptions['ajv'] {
  const options = { customOptions: {}, plugins: [], ...given }
  const { customOptions, plugins } = options as { customOptions: unknown; plugins: unknown }
  if (!customOptions || Object.prototype.toString.call(customOptions) !== '[object Object]') {
    throw new errorCodes.FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ(typeof customOptions)
  }
  if (!Array.isArray(plugins)) {
    throw new errorCodes.FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_ARR(typeof plugins)
  }
  return options
}
