/** The members of an instance that the recorder uses. Fastify and this package both have them. */
export interface Server {
  readonly prefix: string
  readonly pluginName?: string
  readonly server: { address(): object | null }
  addHook(name: string, hook: (this: Server, ...args: never[]) => unknown): Server
  register(...args: unknown[]): Server
  after(callback: () => void): unknown
  getSchemas(): Record<string, unknown>
  ready(...args: unknown[]): PromiseLike<unknown>
  /** Decorator of @fastify/swagger. */
  swagger?(): unknown
}

/** The factory options that the recorder uses. */
export interface ServerOptions {
  readonly ajv?: { readonly customOptions?: unknown; readonly plugins?: readonly unknown[] }
  readonly serializerOpts?: unknown
  readonly jsonShorthand?: boolean
  readonly exposeHeadRoutes?: boolean
  readonly logger?: unknown
  readonly routerOptions?: object
  readonly schemaController?: {
    readonly compilersFactory?: {
      readonly buildValidator?: unknown
      readonly buildSerializer?: unknown
    }
  }
  readonly [more: string]: unknown
}

export type Factory = (options?: ServerOptions) => Server

/** The argument of `onRoute` hooks. */
export interface RouteOptions {
  readonly method: string | readonly string[]
  readonly url: string
  readonly routePath?: string
  readonly prefixTrailingSlash?: string
  schema?: object
  readonly handler?: unknown
  readonly exposeHeadRoute?: boolean
  readonly validatorCompiler?: unknown
  readonly serializerCompiler?: unknown
}
