/** `framework/5`: the runtime, answering like Fastify 5.12. */
import { errors } from './errors/fastify-5.ts'
import type { FrameworkFactory } from './index.ts'
import { createInstance } from './instance/index.ts'
import { fastify5 } from './lines/fastify-5/index.ts'
import { LogController as Controller } from './serve/line/log-controller.ts'
import type { FastifyErrorCodes, LogControllerClass } from './types/index.ts'

export type * from './types/index.ts'
export type { FrameworkFactory } from './index.ts'

declare module './types/basic/line.ts' {
  interface Lines {
    fastify5: true
  }
}

/** The classes of Fastify 5's errors, by code. */
export const errorCodes: FastifyErrorCodes = errors

/** Logs the lines about requests. Derive a class to log others. */
export const LogController: LogControllerClass = Controller as never

/**
 * Creates an application. The options decide which kind of server it uses.
 *
 * @throws FST_ERR_* for invalid options
 */
function create(opts?: unknown): unknown {
  return createInstance(opts, fastify5)
}

export const framework: FrameworkFactory = create as FrameworkFactory

// `require('framework/5')` returns the function itself, so put everything on it.
Object.assign(framework, {
  default: framework,
  framework,
  fastify: framework,
  errorCodes,
  LogController,
})

export { framework as default, framework as fastify }
