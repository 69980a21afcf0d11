import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger } from './logger.ts'
import type { Loose } from './basic/loose.ts'
import type { RawServerBase, RawServerDefault, ReplyOf, RequestOf } from './basic/raw.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

/** The options of a plugin. */
export type FastifyPluginOptions = Record<string, Loose>

/** A plugin that calls `done` when it has set up everything. */
export type FastifyPluginCallback<
  Options extends FastifyPluginOptions = Record<never, never>,
  Server extends RawServerBase = RawServerDefault,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  instance: FastifyInstance<Server, RequestOf<Server>, ReplyOf<Server>, Logger, TypeProvider>,
  opts: Options,
  done: (err?: Error) => void,
) => void

/** A plugin whose promise settles when it has set up everything. */
export type FastifyPluginAsync<
  Options extends FastifyPluginOptions = Record<never, never>,
  Server extends RawServerBase = RawServerDefault,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  instance: FastifyInstance<Server, RequestOf<Server>, ReplyOf<Server>, Logger, TypeProvider>,
  opts: Options,
) => Promise<void>

/** @deprecated TypeScript infers little from this union: use one of its two members. */
export type FastifyPlugin<Options extends FastifyPluginOptions = Record<never, never>> =
  | FastifyPluginCallback<Options>
  | FastifyPluginAsync<Options>

/** Metadata of a wrapped plugin, checked when it is registered. */
export interface PluginMetadata {
  /** A semver range that the instance's `version` must satisfy. */
  fastify?: string | undefined
  /** The name that other plugins depend on it by. Default: the function's name. */
  name?: string | undefined
  /** Decorators that must exist before the plugin is registered. */
  decorators?:
    | {
        fastify?: (string | symbol)[] | undefined
        reply?: (string | symbol)[] | undefined
        request?: (string | symbol)[] | undefined
      }
    | undefined
  /** Names of plugins that must be registered before it. */
  dependencies?: string[] | undefined
  /** Give the plugin a context of its own all the same. Default `false`. */
  encapsulate?: boolean | undefined
}

/** @deprecated Use `PluginMetadata`. */
export interface PluginOptions extends PluginMetadata {}

/**
 * The default export of `framework/plugin`: marks a plugin to register into its parent's context, so that what it
 * adds is visible there. Returns the same function. A string in place of the metadata is the version range.
 */
export interface PluginWrapper {
  <
    Options extends FastifyPluginOptions = Record<never, never>,
    RawServer extends RawServerBase = RawServerDefault,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends
      | FastifyPluginCallback<Options, RawServer, TypeProvider, Logger>
      | FastifyPluginAsync<Options, RawServer, TypeProvider, Logger> = FastifyPluginCallback<
      Options,
      RawServer,
      TypeProvider,
      Logger
    >,
  >(
    fn: Fn extends unknown
      ? Fn extends (...args: Loose) => Promise<Loose>
        ? FastifyPluginAsync<Options, RawServer, TypeProvider, Logger>
        : FastifyPluginCallback<Options, RawServer, TypeProvider, Logger>
      : Fn,
    options?: PluginMetadata | string,
  ): Fn
  readonly default: PluginWrapper
  readonly fastifyPlugin: PluginWrapper
}
