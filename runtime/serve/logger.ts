/** The loggers of an application and of its requests. pino is loaded on first use. */
import { errorCodes } from '../errors/index.ts'
import { nodeModule } from '../platform/index.ts'
import { loadPackage } from './load-package.ts'
import type { ChildLoggerFactory, Instance, Logger, RawRequest, Reply } from './model.ts'
import { kContext, kReplyEndTime, kReplyStartTime } from './symbols.ts'

interface Pino {
  (options: object, stream: unknown): Logger
  destination(file: unknown): unknown
  readonly stdSerializers: { err(error: unknown): unknown }
}

type Serializers = Record<string, (value: never) => unknown>

const levels = ['info', 'error', 'debug', 'fatal', 'warn', 'trace'] as const

/** The logger of an application without logger. */
export const nullLogger: Logger = createNullLogger()

/** The default serializers of replies and errors. */
const serializers: Serializers = {
  res(reply: { statusCode?: unknown }) {
    return { statusCode: reply.statusCode }
  },
  err(error: unknown) {
    return loadPino().stdSerializers.err(error)
  },
}

/** A `Request`, or the raw request. */
interface Loggable {
  method?: unknown
  url?: unknown
  headers?: Record<string, unknown>
  host?: unknown
  hostname?: unknown
  ip?: unknown
  socket?: { remotePort?: unknown }
}

/** Returns the default serializer of requests. */
function requestSerializer(hostName: 'host' | 'hostname'): (request: Loggable) => object {
  return (request) => ({
    method: request.method,
    url: request.url,
    version: request.headers && request.headers['accept-version'],
    [hostName]: request[hostName],
    remoteAddress: request.ip,
    remotePort: request.socket ? request.socket.remotePort : undefined,
  })
}

/** Property with the serializers of a pino logger. */
const kPinoSerializers = Symbol.for('pino.serializers')

/** The time in milliseconds, to measure durations. */
export function now(): number {
  return performance.now()
}

/** Milliseconds from the start of the request until its end, or until now. 0 if nothing needs its end: see `listenForEnd`. */
export function elapsedTimeOf({ [kReplyStartTime]: start, [kReplyEndTime]: end }: Reply): number {
  return start === undefined ? 0 : (end || now()) - start
}

/**
 * Creates the logger of an application from the factory option `logger`: nothing, `true`, pino's options with `stream` or `file`, or a
 * logger, of which the application gets a child.
 *
 * @throws FST_ERR_LOG_INVALID_DESTINATION, FST_ERR_LOG_INVALID_LOGGER
 */
export function createLogger(
  factoryOptions: object,
  hostName: 'host' | 'hostname',
): { logger: Logger; hasLogger: boolean } {
  const { logger: option } = factoryOptions as { logger?: unknown }
  if (!option) return { logger: nullLogger, hasLogger: false }
  const defaults = { req: requestSerializer(hostName), ...serializers }
  if (isLogger(option)) {
    const { serializers: ofLogger, [kPinoSerializers]: ofPino } = option as Logger & {
      serializers?: Serializers
      [kPinoSerializers]?: Serializers
    }
    const logger = option.child({}, { serializers: { ...defaults, ...ofLogger, ...ofPino } })
    return { logger, hasLogger: true }
  }
  const isObject = Object.prototype.toString.call(option) === '[object Object]'
  return { logger: createPinoLogger(isObject ? option : {}, defaults), hasLogger: true }
}

/** Creates the logger of a request. @throws FST_ERR_LOG_INVALID_LOGGER if the application's factory returns something else */
export function createChildLogger(
  { childLoggerFactory, server }: { childLoggerFactory: ChildLoggerFactory; server: Instance },
  logger: Logger,
  raw: RawRequest,
  id: string,
  options: object = {},
): Logger {
  const isDefault = childLoggerFactory === defaultChildLoggerFactory
  if (isDefault && logger === nullLogger) return logger
  const bindings = { [server[kContext].app.logging.requestIdLogLabel]: id }
  const child = childLoggerFactory.call(server, logger, bindings, options, raw)
  if (!isDefault) assertLogger(child)
  return child
}

/** The default of `setChildLoggerFactory`. */
export const defaultChildLoggerFactory: ChildLoggerFactory = (logger, bindings, options) =>
  logger.child(bindings, options)

/** Logs an error that can't be answered. If the logger fails too, emits a process warning. */
export function logFailure(
  log: Logger,
  error: unknown,
  message: string,
  level: 'error' | 'warn' = 'error',
): void {
  try {
    log[level]({ err: error }, message)
  } catch {
    // The logger has failed, or reading the error has.
    process.emitWarning(`${message}, and the error can't be logged`, 'FrameworkWarning')
  }
}

function createPinoLogger(given: object, defaults: Serializers): Logger {
  // Copy symbols and non-enumerable properties too, and `__proto__` as a property.
  const options: Record<PropertyKey, unknown> = {}
  for (const key of Reflect.ownKeys(given)) {
    const value: unknown = Reflect.get(given, key)
    const property = { value, writable: true, enumerable: true, configurable: true }
    Object.defineProperty(options, key, property)
  }
  const { file, stream } = options
  if (stream && file) throw new errorCodes.FST_ERR_LOG_INVALID_DESTINATION()
  options['level'] ||= 'info'
  options['serializers'] = { ...defaults, ...(options['serializers'] as Serializers) }
  // In a Worker that a bundler makes, pino is the version for browsers. Let it log objects, as elsewhere.
  options['browser'] = { asObject: true, serialize: true, ...(options['browser'] as object) }
  const create = (): Logger => {
    const pino = loadPino()
    return pino(options, file ? pino.destination(file) : stream)
  }
  return options['transport'] ? withOwnThread(create) : create()
}

/**
 * Creates a logger whose transport runs in `log-thread.ts`. pino's own thread evaluates a string: if that isn't allowed, the process
 * ends after waiting ten seconds for it.
 */
function withOwnThread(create: () => Logger): Logger {
  // Modules of Workers may have no URL.
  if (!URL.canParse('./log-thread.js', import.meta.url)) return create()
  const thread = new URL('./log-thread.js', import.meta.url)
  // A bundle may lack the file.
  if (thread.protocol !== 'file:' || !nodeModule('node:fs').existsSync(thread)) return create()
  const file = nodeModule('node:url').fileURLToPath(thread)
  // pino reads the files of its threads from this global, for bundlers.
  const globals = globalThis as { __bundlerPathsOverrides?: Readonly<Record<string, string>> }
  const { __bundlerPathsOverrides: previous } = globals
  globals.__bundlerPathsOverrides = { 'thread-stream-worker': file, ...previous }
  try {
    return create()
  } finally {
    if (previous === undefined) delete globals.__bundlerPathsOverrides
    else globals.__bundlerPathsOverrides = previous
  }
}

let pinoModule: Pino | undefined

function loadPino(): Pino {
  pinoModule ??= loadPackage('pino') as Pino
  return pinoModule
}

/** Returns whether the value is a logger. @throws FST_ERR_LOG_INVALID_LOGGER if it has only some of the methods */
export function isLogger(value: unknown): value is Logger {
  const missing = missingMethods(value)
  if (missing.length === 0) return true
  if (missing.length === levels.length + 1) return false
  throw new errorCodes.FST_ERR_LOG_INVALID_LOGGER(missing.join(','))
}

function assertLogger(value: unknown): void {
  const missing = missingMethods(value)
  if (missing.length > 0) throw new errorCodes.FST_ERR_LOG_INVALID_LOGGER(missing.join(','))
}

function missingMethods(value: unknown): string[] {
  const methods: string[] = [...levels, 'child']
  if (!value) return methods
  return methods.filter((name) => typeof (value as Record<string, unknown>)[name] !== 'function')
}

function createNullLogger(): Logger {
  const methods = Object.fromEntries(levels.map((level) => [level, noop]))
  const logger = Object.create(methods) as Logger
  logger.child = (): Logger => logger
  return logger
}

function noop(): void {}
