/** Checks and normalizes the options of routes. */
import { errorCodes, fastify5ErrorCodes } from '../errors/index.ts'
import { assertAsyncArity, assertHook, lifecycleHooks } from '../context/hooks.ts'
import type { Application } from '../context/application.ts'
import type { ApplicationLine } from '../context/line.ts'
import type { RouteHandler, RouteOptions } from '../serve/model.ts'
import { assertBodyLimit } from '../context/options.ts'
import type { HookOptions } from './hooks.ts'

/**
 * Returns the options and the handler of `instance.get` and the like: `(url, handler)`, `(url, options)` or `(url, options, handler)`.
 *
 * @throws FST_ERR_INVALID_URL, and if options that are passed with a handler aren't an object, or have a handler as well
 */
export function readShorthand(
  method: string | readonly string[],
  url: unknown,
  given: Partial<RouteOptions> | RouteHandler | undefined,
  handler: RouteHandler | undefined,
): { given: Partial<RouteOptions>; handler: RouteHandler | undefined } {
  if (typeof url !== 'string') throw new errorCodes.FST_ERR_INVALID_URL(typeof url)
  if (!handler && typeof given === 'function') return { given: {}, handler: given }
  if (typeof handler === 'function') assertNoOtherHandler(method, url, given)
  return { given: (given ?? {}) as Partial<RouteOptions>, handler }
}

function assertNoOtherHandler(
  method: string | readonly string[],
  url: string,
  options: unknown,
): void {
  if (Object.prototype.toString.call(options) !== '[object Object]') {
    throw new errorCodes.FST_ERR_ROUTE_OPTIONS_NOT_OBJ(method, url)
  }
  const { handler } = options as { handler?: unknown }
  if (typeof handler === 'function') {
    throw new errorCodes.FST_ERR_ROUTE_DUPLICATED_HANDLER(method, url)
  }
  if (handler) throw new errorCodes.FST_ERR_ROUTE_HANDLER_NOT_FN(method, url)
}

/** Converts methods to upper case. @throws FST_ERR_ROUTE_METHOD_*, and if a method without body has a schema for it */
export function normalizeMethod(
  options: RouteOptions,
  path: string,
  known: Application['methods'],
): void {
  const { method: given } = options
  options.method = Array.isArray(given) ? given.map(toMethod) : toMethod(given)

  function toMethod(one: unknown): string {
    if (typeof one !== 'string') throw new errorCodes.FST_ERR_ROUTE_METHOD_INVALID()
    const method = one.toUpperCase()
    const readType = known.get(method)
    if (readType === undefined) throw new errorCodes.FST_ERR_ROUTE_METHOD_NOT_SUPPORTED(method)
    if (readType === null && options.schema?.body) {
      throw new errorCodes.FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED(method, path)
    }
    return method
  }
}

/** @throws FST_ERR_ROUTE_MISSING_HANDLER, FST_ERR_ROUTE_HANDLER_NOT_FN, FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT, and on Fastify 5 for `handlerTimeout` */
export function assertRouteOptions(
  options: RouteOptions,
  path: string,
  line: ApplicationLine,
): void {
  const { handler, errorHandler, method } = options
  if (!handler) throw new errorCodes.FST_ERR_ROUTE_MISSING_HANDLER(method, path)
  if (errorHandler !== undefined && typeof errorHandler !== 'function') {
    throw new errorCodes.FST_ERR_ROUTE_HANDLER_NOT_FN(method, path)
  }
  if (options.bodyLimit !== undefined) assertBodyLimit(options.bodyLimit)
  if (options.handlerTimeout !== undefined) line.assertHandlerTimeout(options.handlerTimeout)
}

/** Loggers without a list of levels accept any. @throws FST_ERR_ROUTE_LOG_LEVEL_INVALID */
export function assertLogLevel(
  { logLevel, method }: RouteOptions,
  url: string,
  logger: unknown,
): void {
  const { values } = (logger as { levels?: { values?: object } } | undefined)?.levels ?? {}
  if (!logLevel || !values || (typeof logLevel === 'string' && logLevel in values)) return
  throw new fastify5ErrorCodes.FST_ERR_ROUTE_LOG_LEVEL_INVALID(method, url, logLevel)
}

/** Checks the handler again after `onRoute` hooks. @throws FST_ERR_ROUTE_MISSING_HANDLER */
export function assertHandler({ handler, method }: RouteOptions, url: string): void {
  if (typeof handler === 'function') return
  throw new errorCodes.FST_ERR_ROUTE_MISSING_HANDLER(method, url)
}

/** @throws FST_ERR_HOOK_*, about parameters only in lists, as in Fastify 5 */
export function assertRouteHooks(options: HookOptions, checksArity = false): void {
  for (const name of lifecycleHooks) {
    const hooks = options[name]
    if (hooks === undefined) continue
    for (const hook of Array.isArray(hooks) ? (hooks as unknown[]) : [hooks]) {
      assertHook(name, hook)
      if (checksArity && Array.isArray(hooks)) assertAsyncArity(name, hook)
    }
  }
}
