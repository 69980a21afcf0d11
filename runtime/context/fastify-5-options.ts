/**
 * Lets `framework` (4.21) take factory options that are written for Fastify 5: renames those that it has under another name, and warns of
 * the others.
 */
import { fastify5ErrorCodes } from '../errors/index.ts'
import { warnOnce } from '../errors/warnings.ts'
import { isLogger } from '../serve/logger.ts'

type Options = Readonly<Record<string, unknown>>

/** Router options, which Fastify 5 groups in `routerOptions`. */
const routerKeys = [
  'allowUnsafeRegex',
  'caseSensitive',
  'constraints',
  'ignoreDuplicateSlashes',
  'ignoreTrailingSlash',
  'maxParamLength',
  'querystringParser',
] as const

/** Options of Fastify 5 that have no effect in `framework`, with a hint for the warning. */
export const optionsWithoutEffect: Readonly<Record<string, string>> = {
  allowErrorHandlerOverride: 'a second `setErrorHandler` in one context replaces the first',
  handlerTimeout: 'handlers have no time limit; give slow steps a time limit of their own',
  logController: 'use `disableRequestLogging`, `requestIdLogLabel` and `childLoggerFactory`',
  useSemicolonDelimiter: '";" begins the query string, as in Fastify 4; write it as "%3B" in paths',
  'routerOptions.buildPrettyMeta': '`printRoutes` shows its own metadata',
  'routerOptions.defaultRoute': 'use `setNotFoundHandler`',
  'routerOptions.onBadUrl': 'use `frameworkErrors`',
  'routerOptions.onMaxParamLength': 'longer parameters match no route; use `setNotFoundHandler`',
  'routerOptions.useSemicolonDelimiter':
    '";" begins the query string, as in Fastify 4; write it as "%3B" in paths',
}

/** Values for what `framework` does anyway, so they need no warning. */
const defaults: Readonly<Record<string, unknown>> = {
  allowErrorHandlerOverride: true,
  useSemicolonDelimiter: true,
  'routerOptions.useSemicolonDelimiter': true,
}

/** Returns whether an option asks for something that `framework` doesn't do. */
export function hasNoEffect(name: string, value: unknown): boolean {
  return (
    value !== undefined && Object.hasOwn(optionsWithoutEffect, name) && value !== defaults[name]
  )
}

/**
 * Returns the options of the factory with the names of Fastify 4.
 *
 * @throws FST_ERR_LOG_*
 */
export function toFastify4Options<Given extends object>(given: Given): Given {
  const { loggerInstance, routerOptions, requestIdHeader } = given as Options
  checkEffects('', given as Options)
  if (!loggerInstance && !routerOptions && requestIdHeader !== true) return given
  const options: Record<string, unknown> = { ...(given as Options) }
  // In Fastify 5, `true` is the header `request-id`: the default of Fastify 4.
  if (requestIdHeader === true) delete options['requestIdHeader']
  if (loggerInstance) options['logger'] = loggerOf(loggerInstance, options['logger'])
  if (routerOptions) {
    checkEffects('routerOptions.', routerOptions as Options)
    for (const key of routerKeys) {
      const value = (routerOptions as Options)[key]
      if (value !== undefined) options[key] = value
    }
  }
  return options as Given
}

/** Returns the `loggerInstance`. @throws FST_ERR_LOG_* */
export function loggerOf(loggerInstance: unknown, logger: unknown): unknown {
  if (logger) throw new fastify5ErrorCodes.FST_ERR_LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED()
  if (!isLogger(loggerInstance)) throw new fastify5ErrorCodes.FST_ERR_LOG_INVALID_LOGGER_INSTANCE()
  return loggerInstance
}

/** Warns once for each option. */
export function warnOfNoEffect(name: string): void {
  warnOnce('FST_AOT_OPTION_WITHOUT_EFFECT', name, optionsWithoutEffect[name])
}

function checkEffects(prefix: string, options: Options): void {
  for (const name in optionsWithoutEffect) {
    if (!name.startsWith(prefix)) continue
    if (hasNoEffect(name, options[name.slice(prefix.length)])) warnOfNoEffect(name)
  }
}
