import type * as http from 'node:http'
import type * as http2 from 'node:http2'
import type * as https from 'node:https'
import { errorCodes as catalogue } from './errors/index.ts'
import { createInstance } from './instance/index.ts'
import { fastify4 } from './lines/fastify-4/index.ts'
import type {
  FastifyBaseLogger,
  FastifyErrorCodes,
  FastifyHttp2Options,
  FastifyHttp2SecureOptions,
  FastifyHttpOptions,
  FastifyHttpsOptions,
  FastifyInstance,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
} from './types/index.ts'

export type * from './types/index.ts'

/** The classes of the errors in Fastify 4.21's catalogue, by code. */
export const errorCodes: FastifyErrorCodes = catalogue as FastifyErrorCodes

/** An instance can be awaited: it resolves when everything registered so far has loaded. */
type Thenable<Instance> = Instance & PromiseLike<Instance>

/**
 * Creates an application. The options decide which kind of server it uses.
 *
 * @throws FST_ERR_* for invalid options
 */
export function framework<
  Server extends http2.Http2SecureServer,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  opts: FastifyHttp2SecureOptions<Server, Logger>,
): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
export function framework<
  Server extends http2.Http2Server,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  opts: FastifyHttp2Options<Server, Logger>,
): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
export function framework<
  Server extends https.Server,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  opts: FastifyHttpsOptions<Server, Logger>,
): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
export function framework<
  Server extends http.Server,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  opts?: FastifyHttpOptions<Server, Logger>,
): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
export function framework(opts?: unknown): unknown {
  return createInstance(opts, fastify4)
}

/** The type of the factory. */
export type FrameworkFactory = typeof framework

// `require('framework')` returns the function itself, so put everything on it.
Object.assign(framework, { default: framework, framework, fastify: framework, errorCodes })

export { framework as default, framework as fastify }
