// STUB
import { createRequire } from 'node:module'
import type { ChildLoggerFactory, Logger, RawRequest } from './model.ts'
import type { RouteContext } from './route-context.ts'
const lib = createRequire(import.meta.url)('fastify/lib/logger.js')
const abstract = createRequire(import.meta.url)('abstract-logging')
export const nullLogger: Logger = abstract
export const now: () => number = lib.now
export const defaultChildLoggerFactory: ChildLoggerFactory = function (logger, bindings, options) {
  return logger.child(bindings, options)
}
export function createLogger(options: object): { logger: Logger; hasLogger: boolean } {
  return lib.createLogger(options)
}
export function createChildLogger(
  route: RouteContext,
  logger: Logger,
  raw: RawRequest,
  id: string,
  options: object = {},
): Logger {
  const child = route.childLoggerFactory.call(route.server, logger, { reqId: id }, options, raw)
  return child
}
