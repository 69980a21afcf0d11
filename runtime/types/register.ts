import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger, LogLevel } from './logger.ts'
import type { Loose } from './basic/loose.ts'
import type { FastifyPluginCallback, FastifyPluginOptions } from './plugin.ts'
import type { RawServerBase, RawServerDefault } from './basic/raw.ts'
import type { FastifyTypeProvider } from './type-provider.ts'

/** Options that every plugin accepts besides its own. */
export interface RegisterOptions {
  /** Stands before the URL of every route in the plugin; nested prefixes add up. */
  prefix?: string | undefined
  /** The level of the plugin's routes. */
  logLevel?: LogLevel | undefined
  /** Serializers of the plugin's logger, by key. */
  logSerializers?: Record<string, (value: Loose) => string> | undefined
}

/** Options, or a function that makes them when the plugin's turn comes: it sees what was registered before. */
export type FastifyRegisterOptions<Options> =
  | (RegisterOptions & Options)
  | ((instance: FastifyInstance) => RegisterOptions & Options)

/** The members by which an instance is known that another package's types describe. */
interface ForeignInstance {
  readonly pluginName: string
  readonly prefix: string
  readonly version: string
  hasPlugin(name: string): boolean
}

/** A plugin written against the types of another package, `fastify` above all. */
type ForeignPlugin<Options, Instance> = (
  instance: Instance,
  opts: Options,
  done: (err?: Error) => void,
) => void | Promise<void>

type OrImported<Plugin> = Plugin | Promise<{ default: Plugin }>

/**
 * Adds a plugin; its options are typed by the plugin itself. A function that returns a promise fits the form with `done`.
 *
 * The last form takes plugins that the published types of `fastify` describe. The two packages' instances are
 * the same at run time, but TypeScript compares them member by member, and a decorator that is declared for
 * one of them only makes them differ. So their plugins are taken by what their options are.
 */
export interface FastifyRegister<
  T = void,
  RawServer extends RawServerBase = RawServerDefault,
  TypeProviderDefault extends FastifyTypeProvider = FastifyTypeProvider,
  LoggerDefault extends FastifyBaseLogger = FastifyBaseLogger,
> {
  <
    Options extends FastifyPluginOptions,
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: OrImported<FastifyPluginCallback<Options, Server, TypeProvider, Logger>>,
    opts?: FastifyRegisterOptions<Options>,
  ): T
  <Options extends FastifyPluginOptions, Instance extends ForeignInstance>(
    plugin: OrImported<ForeignPlugin<Options, Instance>>,
    opts?: FastifyRegisterOptions<Options>,
  ): T
}
