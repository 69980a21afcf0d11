import type { PluginRules } from '../boot/plugin-meta.ts'
import type { Line } from '../serve/line/index.ts'
import type { InjectPackage } from '../serve/load-package.ts'
import type { Hook, Instance, RawReply, RawRequest, RouteOptions } from '../serve/model.ts'
import type { RouteSource } from '../serve/route-context.ts'
import type { RouterOptions } from '../router/index.ts'
import type { Application } from './application.ts'
import type { ConfigRules } from './initial-config.ts'
import type { FactoryOptions, GivenOptions } from './options.ts'

type LineRouterOptions = RouterOptions<RawRequest, RawReply, RouteSource>

/** Differences between lines while an application is declared. Serving needs less, see `serve/line/index.ts`. */
export interface ApplicationLine extends Line {
  /** The package behind `inject`. */
  readonly injectPackage: InjectPackage
  readonly config: ConfigRules
  /**
   * Returns the options of the factory by the names that all lines share.
   *
   * @throws FST_ERR_*
   */
  readOptions(given: object): object
  toRequestIdHeader(given: unknown): string | false
  readConstraints(options: GivenOptions): FactoryOptions['constraints']
  /** Returns the options of the router that only this line has. */
  routerOptions(options: FactoryOptions, getApp: () => Application): LineRouterOptions
  /** Adds a method for routes. @param overrides whether the method may exist already */
  addMethod(
    methods: Application['methods'],
    method: string,
    hasBody: boolean,
    overrides: boolean,
  ): void
  /** Creates the members of instances in which lines differ. */
  createMembers(app: Application): object
  /** True if a compiler that is set for a context stays in use when schemas are added. */
  readonly keepsCompilers: boolean
  readonly plugins: PluginRules

  /** Returns a hook as a function. @throws FST_ERR_HOOK_INVALID_HANDLER */
  readHook(name: string, hook: unknown, instance: Instance): Hook
  /** Hooks of the application that are added at once, not after the plugins before them. */
  readonly immediateHooks: ReadonlySet<string>
  /** True if the parameters of async functions in a route's lists of hooks are checked, as those of hooks of instances are. */
  readonly checksRouteHooks: boolean
  createHookTimeout(name: string, hook: Hook | undefined): Error
  /** True if all calls of `ready` share one start. */
  readonly sharesReady: boolean
  /** @throws FST_ERR_ERROR_HANDLER_* */
  assertErrorHandler(handler: unknown, app: Application, isSecond: boolean): void
  /** Called when an object decorates requests or replies, which would share it. @throws FST_ERR_DEC_REFERENCE_TYPE */
  onSharedObject(name: PropertyKey, value: object): void
  /** True if `listen` behaves as in Fastify 5, which takes settings only. */
  readonly listensBySettings: boolean
  /** Returns the addresses to log for the IP address that a server listens on. `listen` resolves with the first. */
  addressesOf(address: string): readonly string[]

  /** @throws FST_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT */
  assertHandlerTimeout(timeout: unknown): void
  /** True if the method of a route is checked before its other options. */
  readonly checksMethodFirst: boolean
  readRouteConstraints(options: RouteOptions): RouteOptions['constraints']
  /**
   * Returns whether a route gets a HEAD route.
   *
   * @param given the method as it was given
   * @param method in upper case
   */
  wantsHeadRoute(given: unknown, method: string | string[]): boolean
  /** Called with header schemas for the default compiler, unless a deployment left them out. */
  warnOfHeaders(schema: object, method: unknown, url: string): void
  /** True if `exposeHeadRoute` warns of a HEAD route that was declared before. */
  readonly warnsOfHeadRoutes: boolean
  /** True if a route that is served at `/prefix` and `/prefix/` shows requests of both the URL `/prefix`. */
  readonly showsPrefix: boolean
}
