import { setTimeout } from 'node:timers/promises'
import { toPlain } from '../../../runtime/artifact/normalize.ts'
import type {
  RecordedCompilers,
  RecordedContext,
  RecordedHook,
  RecordedOptions,
  RecordedRoute,
  RecordedValue,
} from '../recording.ts'
import type { Caller } from './places.ts'
import { findCaller } from './places.ts'
import { HookRecorder } from './hook-recorder.ts'
import { toPlainData } from '../../sandbox/child/plain-data.ts'
import { describeResponses, libraryPartOf } from '../../sandbox/described.ts'
import type { Factory, RouteOptions, Server, ServerOptions } from './server.ts'
import type { RouteArguments } from './watch.ts'
import { watch } from './watch.ts'
import type { Place } from '../../util/stack.ts'
import type { RouterOptions } from '../../model/index.ts'

const pluginMeta = Symbol.for('plugin-meta')

/** Code after `listen` may create other instances. It declares something again within this time, in ms. */
const SHORT_SILENCE = 50

/** The declarations of an instance. */
interface Declarations extends RecordedCompilers {
  readonly routes: DeclaredRoute[]
  /** The options of HEAD twins, by URL. */
  readonly twins: Map<string, RouteOptions>
  readonly children: Server[]
  /** First calls of `addSchema`, by `$id`. */
  readonly schemaCalls: Map<string, Caller>
}

interface DeclaredRoute {
  /** Copied at declaration: Fastify reuses the object for the second URL of `/`. */
  readonly method: RouteOptions['method']
  readonly url: string
  readonly options: RouteOptions
  readonly caller: Caller
  /** The `schema` option after all plugins were loaded. Getting ready completes the object in place. */
  schema?: RecordedValue | undefined
  hooks?: readonly RecordedHook[]
  twinHooks?: readonly RecordedHook[] | undefined
}

/** A root instance and the options that it was created with. */
export interface Root {
  readonly server: Server
  readonly options: ServerOptions
  /** The application's file that created it. */
  readonly file: string | undefined
}

/**
 * Records what an application declares on its instances. They are real instances, except that they don't
 * listen, don't run `onReady` and `onListen` hooks, and don't get the compilers of the factory.
 */
export class Recorder {
  readonly roots: Root[] = []
  readonly hooks: HookRecorder = new HookRecorder()
  /** The packages that add decorators; `''` for the application's own. */
  readonly decorators: Record<string, string> = {}
  /** Lines of the application that led to calls of its instances. */
  readonly #calls = new Map<string, Place>()
  readonly #declarations = new Map<Server, Declarations>()
  /** Arguments of the method that is declaring a route. */
  #declaration: RouteArguments = {}
  readonly #captured = new Set<Server>()
  /** Set if @fastify/swagger has options that contain functions. */
  #writesDocument = false
  readonly #wrapped = new Map<Factory, Factory>()
  /** Resolves when the application lets an instance listen. */
  readonly firstListening: Promise<void>
  isListening = false
  #resolveListening: () => void = () => undefined

  readonly isSandboxed: boolean

  constructor(isSandboxed: boolean) {
    this.isSandboxed = isSandboxed
    this.firstListening = new Promise((resolve) => (this.#resolveListening = resolve))
  }

  noteListening(): void {
    this.isListening = true
    this.#resolveListening()
  }

  /** Resolves when an instance listens and the code after that has declared all that it declares at once. */
  async whenListening(): Promise<void> {
    await this.firstListening
    // Nothing else may keep the process alive: no server listens.
    if (this.isSandboxed) await this.untilSilent(SHORT_SILENCE, true)
  }

  /** Resolves when nothing was declared for some time, in ms. */
  async untilSilent(time: number, keepsAlive = false): Promise<void> {
    let before: number
    do {
      before = this.activity
      await setTimeout(time, undefined, { ref: keepsAlive })
    } while (this.activity !== before)
  }

  get calls(): Place[] {
    return [...this.#calls.values()]
  }

  /** Number of calling lines and of routes. It grows while plugins are loaded. */
  get activity(): number {
    return this.#calls.size + this.roots.flatMap((root) => this.#routesOf(root)).length
  }

  /** Returns the root that contains an instance. */
  rootOf(value: unknown): Root | undefined {
    if (typeof value !== 'object' || value === null) return undefined
    return this.roots.find(
      ({ server }) => value === server || Object.prototype.isPrototypeOf.call(server, value),
    )
  }

  #declarationsOf(server: Server): Declarations {
    const declarations = this.#declarations.get(server) ?? {
      routes: [],
      twins: new Map(),
      children: [],
      schemaCalls: new Map(),
      ...compilersOf(undefined, undefined),
    }
    this.#declarations.set(server, declarations)
    return declarations
  }

  #routesOf(root: Root): DeclaredRoute[] {
    return [...this.#declarations].flatMap(([server, { routes }]) =>
      this.rootOf(server) === root ? routes : [],
    )
  }

  /** Returns the root with the most routes. */
  largest(roots: readonly Root[] = this.roots): Root | undefined {
    const size = (root: Root): number => this.#routesOf(root).length
    return [...roots].sort((a, b) => size(b) - size(a))[0]
  }

  /** Returns whether a route of a root has a schema. */
  hasSchemas(root: Root): boolean {
    return this.#routesOf(root).some(({ options }) => options.schema)
  }

  /** Wraps a factory to record its instances. Its properties are kept, except that its other names return the wrapped factory. */
  wrap(factory: Factory): Factory {
    const existing = this.#wrapped.get(factory)
    if (existing !== undefined) return existing
    // ES modules get the factory through `require`, which has already wrapped it.
    if ([...this.#wrapped.values()].includes(factory)) return factory
    const wrapped: Factory = (options = {}) => {
      const server = factory(withoutCompiling(options))
      this.roots.push({ server, options, file: findCaller().at?.file })
      watch(server, this)
      return server
    }
    Object.assign(wrapped, factory, { default: wrapped, fastify: wrapped, framework: wrapped })
    this.#wrapped.set(factory, wrapped)
    return wrapped
  }

  noteChild(parent: Server, child: Server): void {
    this.#declarationsOf(parent).children.push(child)
    this.hooks.noteChild(parent, child)
  }

  noteDecorator(name: string): void {
    this.decorators[name] ??= findCaller().package ?? ''
  }

  /** Runs `declare`, which declares a route with the arguments `args`. */
  declare(args: RouteArguments, declare: () => unknown): unknown {
    const outer = this.#declaration
    this.#declaration = args
    try {
      return declare()
    } finally {
      this.#declaration = outer
    }
  }

  noteSchema(server: Server, schema: unknown): void {
    const id = (toPlain(schema) as { $id?: unknown } | null | undefined)?.$id
    const { schemaCalls } = this.#declarationsOf(server)
    // A second call with the same `$id` throws, and the schema of the first one stays.
    if (typeof id === 'string' && !schemaCalls.has(id)) schemaCalls.set(id, this.noteCall())
  }

  /** Records a route. For `/` under a prefix, `onRoute` hooks run once, though the route may get two URLs. */
  noteRoute(server: Server, options: RouteOptions): void {
    const { method, url } = options
    const methods = [this.#declaration.method ?? []].flat().map((one) => String(one).toUpperCase())
    // A HEAD route that the application didn't declare is the twin of a GET route.
    const { routes, twins } = this.#declarationsOf(server)
    if (String(method) === 'HEAD' && !methods.includes('HEAD')) {
      twins.set(url, options)
      return
    }
    const caller = this.noteCall()
    routes.push({ method, url, options, caller })
    const { ignoreTrailingSlash, ignoreDuplicateSlashes } = routerOptionsOf(
      this.rootOf(server)?.options,
    )
    const hasBoth =
      (this.#declaration.url || this.#declaration.path) === '/' &&
      options.routePath === '' &&
      options.prefixTrailingSlash !== 'no-slash' &&
      !ignoreTrailingSlash &&
      !(ignoreDuplicateSlashes && url.endsWith('/'))
    if (hasBoth) routes.push({ method, url: `${url}/`, options, caller })
  }

  /** Captures schemas after all registered plugins were loaded. Called when the application calls `ready`. */
  captureLast(server: Server, register: Server['register']): void {
    if (this.#captured.has(server)) return
    this.#captured.add(server)
    const capture = async (): Promise<void> => {
      const root = this.rootOf(server)
      for (const route of root ? this.#routesOf(root) : [])
        route.schema = route.options.schema && recordSchema(route.options.schema)
      for (const { routes, twins } of this.#declarations.values())
        for (const route of routes) {
          const twin = twins.get(route.url)
          route.hooks = this.hooks.ofRoute(route.options)
          route.twinHooks = twin && this.hooks.ofRoute(twin)
        }
    }
    // Registers without a context of its own.
    register.call(server, Object.assign(capture, { [Symbol.for('skip-override')]: true }))
  }

  /** Remembers the lines that called a method: it may explain what the scan couldn't follow. */
  noteCall(): Caller {
    const caller = findCaller()
    for (const at of caller.trail) this.#calls.set(`${at.file}:${at.line}:${at.column}`, at)
    return caller
  }

  notePlugin(plugin: unknown, options: unknown): void {
    const meta = (plugin as { [pluginMeta]?: { name?: unknown } } | undefined)?.[pluginMeta]
    if (meta?.name !== '@fastify/swagger') return
    this.#writesDocument ||= toPlainData(options).holes.length > 0
  }

  /** Returns the document that @fastify/swagger writes for an instance or one of its children. Call it when the instance is ready. */
  documentOf(server: Server): RecordedValue | undefined {
    if (!this.#writesDocument) return undefined
    if (!Object.hasOwn(server, 'swagger')) {
      const { children } = this.#declarationsOf(server)
      return children.map((child) => this.documentOf(child)).find((one) => one !== undefined)
    }
    try {
      return { value: JSON.parse(JSON.stringify(server.swagger?.())), holes: [] }
    } catch (error) {
      return { value: undefined, holes: [{ path: [], why: String(error) }] }
    }
  }

  noteCompiler(server: Server, which: keyof RecordedCompilers): void {
    this.noteCall()
    this.#declarationsOf(server)[which] = 'own'
  }

  /** Returns the declarations of an instance and its children. Call it when the instance is ready. */
  contextOf(server: Server, parent?: Server): RecordedContext {
    const declared = this.#declarationsOf(server)
    const { children, routes, schemaCalls, validatorCompiler, serializerCompiler } = declared
    const options = this.rootOf(server)?.options ?? {}
    const inherited = parent?.getSchemas() ?? {}
    return {
      name: parent === undefined ? 'root' : nameOf(server),
      prefix: server.prefix,
      schemas: Object.entries(server.getSchemas())
        .filter(([id]) => !Object.hasOwn(inherited, id))
        .map(([id, schema]) => ({
          id,
          schema: toPlainData(schema),
          at: schemaCalls.get(id)?.at,
        })),
      hooks: this.hooks.of(server),
      routes: routes.map((route) => toRoute(route, options)),
      children: children.map((child) => this.contextOf(child, server)),
      validatorCompiler,
      serializerCompiler,
    }
  }
}

/** Returns options without logs and without compiling: the build compiles and reports errors itself. */
function withoutCompiling(options: ServerOptions): ServerOptions {
  const { logger, schemaController } = options
  const isLogger = typeof logger === 'object' && logger !== null && 'child' in logger
  return {
    ...options,
    // Neither an artifact nor a compiler is needed.
    aot: undefined,
    ...(logger !== undefined && !isLogger && { logger: false }),
    schemaController: {
      ...schemaController,
      compilersFactory: {
        buildValidator: () => () => () => true,
        buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
      },
    },
  }
}

/** Extracts the factory options that the build needs. */
export function optionsOf(options: ServerOptions): RecordedOptions {
  const { ajv, serializerOpts, schemaController } = options
  const { buildValidator, buildSerializer } = schemaController?.compilersFactory ?? {}
  return {
    customOptions: toPlainData(ajv?.customOptions ?? {}),
    plugins: ajv?.plugins?.length ?? 0,
    serializerOpts: toPlainData(serializerOpts ?? {}),
    jsonShorthand: options.jsonShorthand ?? true,
    exposeHeadRoutes: options.exposeHeadRoutes ?? true,
    router: routerOptionsOf(options),
    ...compilersOf(buildValidator, buildSerializer),
  }
}

function routerOptionsOf(given: ServerOptions = {}): RouterOptions {
  const options: Record<string, unknown> = { ...given, ...given.routerOptions }
  return {
    ignoreTrailingSlash: options.ignoreTrailingSlash === true,
    ignoreDuplicateSlashes: options.ignoreDuplicateSlashes === true,
    caseSensitive: options.caseSensitive !== false,
  }
}

function compilersOf(validator: unknown, serializer: unknown): RecordedCompilers {
  return {
    validatorCompiler: validator ? 'own' : undefined,
    serializerCompiler: serializer ? 'own' : undefined,
  }
}

function toRoute(
  { method, url, options, caller, schema, hooks = [], twinHooks }: DeclaredRoute,
  { exposeHeadRoutes = true }: ServerOptions,
): RecordedRoute {
  return {
    methods: [method].flat().map((one) => one.toUpperCase()),
    url,
    schema: schema ?? (options.schema && recordSchema(options.schema)),
    ...compilersOf(options.validatorCompiler, options.serializerCompiler),
    exposeHeadRoute: options.exposeHeadRoute ?? exposeHeadRoutes,
    at: caller.at,
    isOfPackage: caller.isOfPackage,
    hooks,
    twinHooks,
  }
}

/** Records the `schema` option of a route. */
function recordSchema(schema: object): RecordedValue {
  const { value, holes } = toPlainData(schema)
  return {
    value: describeResponses(value, holes),
    holes: holes.map((hole) => ({
      path: hole.path,
      why: hole.why,
      described: libraryPartOf(hole),
    })),
  }
}

/** Fastify chains the names of nested plugins. */
function nameOf({ pluginName = '' }: Server): string {
  const name = pluginName.split(' -> ').at(-1) ?? ''
  // Fastify names anonymous functions after their first lines.
  return /^[\w@/.:-]+$/.test(name) ? name : 'anonymous'
}
