import type * as http from 'node:http'
import type * as http2 from 'node:http2'
import type * as https from 'node:https'
import type { FastifyErrorCodes } from './error.ts'
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger } from './logger.ts'
import type {
  FastifyHttp2Options,
  FastifyHttp2SecureOptions,
  FastifyHttpOptions,
  FastifyHttpsOptions,
} from './options.ts'
import type { RawReplyDefaultExpression, RawRequestDefaultExpression } from './server.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

/** An instance can be awaited: it settles when what was registered so far has loaded. */
type Thenable<Instance> = Instance & PromiseLike<Instance>

/** Creates an application. The options decide which kind of server it sits on. Throws `FST_ERR_INIT_OPTS_INVALID` and others. */
export interface FrameworkFactory {
  <
    Server extends http2.Http2SecureServer,
    Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
    Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    opts: FastifyHttp2SecureOptions<Server, Logger>,
  ): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
  <
    Server extends http2.Http2Server,
    Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
    Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    opts: FastifyHttp2Options<Server, Logger>,
  ): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
  <
    Server extends https.Server,
    Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
    Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    opts: FastifyHttpsOptions<Server, Logger>,
  ): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
  <
    Server extends http.Server,
    Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
    Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    opts?: FastifyHttpOptions<Server, Logger>,
  ): Thenable<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>
  readonly default: FrameworkFactory
  readonly framework: FrameworkFactory
  readonly fastify: FrameworkFactory
  readonly errorCodes: FastifyErrorCodes
}
