import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger, LogLevel } from './logger.ts'
import type { Loose } from './basic/loose.ts'
import type { FastifyPluginCallback, FastifyPluginOptions } from './plugin.ts'
import type { RawServerBase, RawServerDefault } from './basic/raw.ts'
import type { FastifyTypeProvider } from './type-provider.ts'

/** Options that every plugin accepts besides its own. */
export interface RegisterOptions {
  /** Prepended to the URL of every route in the plugin. Nested prefixes add up. */
  prefix?: string | undefined
  /** The level of the plugin's routes. */
  logLevel?: LogLevel | undefined
  /** Serializers of the plugin's logger, by key. */
  logSerializers?: Record<string, (value: Loose) => string> | undefined
}

/** Options, or a function that creates them when the plugin is loaded, after everything that was registered before it. */
export type FastifyRegisterOptions<Options> =
  | (RegisterOptions & Options)
  | ((instance: FastifyInstance) => RegisterOptions & Options)

/** The members that identify an instance in the types of another package. */
interface ForeignInstance {
  readonly pluginName: string
  readonly prefix: string
  readonly version: string
  hasPlugin(name: string): boolean
}

/** A plugin that is written with the types of another package, usually `fastify`. */
type ForeignPlugin<Options, Instance> = (
  instance: Instance,
  opts: Options,
  done: (err?: Error) => void,
) => void | Promise<void>

type OrImported<Plugin> = Plugin | Promise<{ default: Plugin }>

/**
 * Adds a plugin; its options are typed by the plugin itself. A function that returns a promise fits the form with `done`.
 *
 * The last form accepts plugins that are written with the types of `fastify`. The instances of both packages are the same at run time, but
 * TypeScript compares them member by member, and a decorator that is declared for only one of them makes them differ. So only the options
 * of such plugins are checked.
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
