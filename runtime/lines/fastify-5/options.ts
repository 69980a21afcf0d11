/** The options of the factory in Fastify 5. */
import { loggerOf } from '../../context/fastify-5-options.ts'
import {
  commonChecks,
  copy,
  defaultInitOptions,
  freezeDeep,
  isObject,
  Problem,
  toBoolean,
  toInteger,
  toText,
  wrongType,
  type ConfigRules,
} from '../../context/initial-config.ts'
import { errors } from '../../errors/fastify-5.ts'
import { emitWarning } from '../../errors/warnings.ts'
import { LogController } from '../../serve/line/log-controller.ts'
import { isLogger } from '../../serve/logger.ts'

type Options = Record<string, unknown>

/** Options of `routerOptions`. Fastify 5 deprecates them outside of it. */
const routerKeys = [
  'allowUnsafeRegex',
  'buildPrettyMeta',
  'caseSensitive',
  'constraints',
  'defaultRoute',
  'ignoreDuplicateSlashes',
  'ignoreTrailingSlash',
  'maxParamLength',
  'onBadUrl',
  'onMaxParamLength',
  'querystringParser',
  'useSemicolonDelimiter',
] as const

/** Defaults in `initialConfig`. `compile` has no other effect here. */
const routerDefaults = {
  compile: false,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 100,
  allowUnsafeRegex: false,
  useSemicolonDelimiter: false,
}

/** The options that are exposed as `initialConfig`. */
export const config: ConfigRules = {
  defaults: {
    ...defaultInitOptions,
    handlerTimeout: 0,
    requestIdHeader: false,
    useSemicolonDelimiter: false,
  },
  checks: {
    ...commonChecks,
    handlerTimeout: toInteger,
    disableRequestLogging: (value) => value,
    requestIdHeader: (value, path) => (typeof value === 'boolean' ? value : toText(value, path)),
    useSemicolonDelimiter: toBoolean,
    routerOptions: toRouterOptions,
  },
}

function toRouterOptions(value: unknown, path: string): unknown {
  if (!isObject(value)) return wrongType(path, 'object')
  const options = copy(value)
  for (const [key, fallback] of Object.entries(routerDefaults)) {
    const check = typeof fallback === 'number' ? toInteger : toBoolean
    const checked = check(options[key] ?? fallback, `${path}/${key}`)
    if (checked instanceof Problem) return checked
    options[key] = checked
  }
  return freezeDeep(options)
}

/** Returns the options of the router, which may be outside of `routerOptions` too. */
export function routerOptionsOf(options: Options): Options {
  const { routerOptions } = options as { routerOptions?: Options | null }
  const found: Options = {}
  for (const key of routerKeys) {
    const isOwn = routerOptions != null && Object.hasOwn(routerOptions, key)
    const value = isOwn ? routerOptions[key] : options[key]
    if (value !== undefined && value !== null) found[key] = value
  }
  return found
}

/**
 * Checks the options, and reads the logger from `logger` or `loggerInstance`.
 *
 * @throws FST_ERR_LOG_* and FST_ERR_QSP_NOT_FN
 */
export function readOptions(given: object): object {
  const options: Options = { ...given }
  const { routerOptions } = options as { routerOptions?: Options }
  const parsers = [options['querystringParser'], routerOptions?.['querystringParser']]
  if (parsers.some((parser) => parser && typeof parser !== 'function')) {
    throw new errors.FST_ERR_QSP_NOT_FN(typeof (parsers[0] ?? parsers[1]))
  }
  warnOfDeprecated(options)
  const { logger, loggerInstance } = options
  if (loggerInstance) options['logger'] = loggerOf(loggerInstance, logger)
  else if (logger && isLogger(logger)) throw new errors.FST_ERR_LOG_INVALID_LOGGER_CONFIG()
  return options
}

function warnOfDeprecated(options: Options): void {
  if (options['requestIdLogLabel'] !== undefined) emitWarning('FSTDEP024')
  if (options['disableRequestLogging'] !== undefined) emitWarning('FSTDEP023')
  const moved = routerKeys.filter((key) => Object.hasOwn(options, key))
  if (moved.length > 0) emitWarning('FSTDEP022', moved.join(', '))
}

export function toRequestIdHeader(given: unknown): string | false {
  if (typeof given === 'string' && given !== '') return given.toLowerCase()
  return given === true && 'request-id'
}

/** @throws FST_ERR_LOG_INVALID_LOG_CONTROLLER */
export function createLogging(options: Options): LogController {
  const { logController } = options
  if (!logController) return new LogController(options)
  if (logController instanceof LogController) return logController
  throw new errors.FST_ERR_LOG_INVALID_LOG_CONTROLLER(typeof logController)
}
