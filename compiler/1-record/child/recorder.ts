import { toPlain } from '../../../runtime/artifact/normalize.ts'
import { METHODS } from 'node:http'
import type {
  RecordedContext,
  RecordedOptions,
  RecordedPlace,
  RecordedRoute,
  RecordedSchema,
  RecordedValue,
} from '../../recording.ts'
import type { Caller } from './places.ts'
import { findCaller } from './places.ts'
import { toRecorded } from './plain.ts'
import type { Factory, RouteOptions, Server, ServerOptions } from './server.ts'

interface DeclaredRoute {
  readonly server: Server
  /** As they were when it was declared: the object is used again for the other URL of `/`. */
  readonly method: RouteOptions['method']
  readonly url: string
  readonly options: RouteOptions
  readonly caller: Caller
  /** The `schema` option when all plugins were loaded; getting ready then completes the object in place. */
  schema?: RecordedValue | undefined
}

type Declare = (this: Server, ...args: unknown[]) => unknown

/** What `route` is given. */
interface RouteGiven {
  readonly method?: string | readonly string[]
  readonly url?: string
  readonly path?: string
}

/** The methods of an instance that declare routes. */
const declaring: readonly string[] = ['route', 'all', ...METHODS.map((name) => name.toLowerCase())]

/** One instance that the application has made, and what it was made with. */
export interface Root {
  readonly server: Server
  readonly options: ServerOptions
}

/**
 * Watches what an application does to the instances that it makes. They are real instances: only what reaches outside
 * (`listen`), what belongs to a running server (`onReady`), and the compiling of schemas is taken from them.
 */
export class Recorder {
  readonly roots: Root[] = []
  /** The lines of the application that have led to calls of its instances. */
  readonly #calls = new Map<string, RecordedPlace>()
  readonly #routes: DeclaredRoute[] = []
  /** What is given to the method that is declaring a route. */
  #given: RouteGiven = {}
  readonly #children = new Map<Server, Server[]>()
  readonly #schemaCalls = new Map<Server, Map<string, Caller>>()
  readonly #compilers = new Map<Server, Set<'validator' | 'serializer'>>()
  readonly #captured = new Set<Server>()
  readonly #wrapped = new Map<Factory, Factory>()
  /** Settles when the application first asks an instance to listen. */
  readonly firstListening: Promise<void>
  #announce: () => void = () => undefined

  constructor() {
    this.firstListening = new Promise((resolve) => (this.#announce = resolve))
  }

  get calls(): RecordedPlace[] {
    return [...this.#calls.values()]
  }

  /** The record of the root that `value` is, or is inside of. */
  rootOf(value: unknown): Root | undefined {
    return this.roots.find(
      ({ server }) =>
        value === server ||
        (typeof value === 'object' &&
          value !== null &&
          Object.prototype.isPrototypeOf.call(server, value)),
    )
  }

  /** Of the roots from the given one on, the one with the most routes. */
  largest(from: number): Root | undefined {
    const size = ({ server }: Root): number =>
      this.#routes.filter((route) => this.rootOf(route.server)?.server === server).length
    return this.roots.slice(from).sort((a, b) => size(b) - size(a))[0]
  }

  /** A factory whose instances are recorded; has all that stands on the original. */
  wrap(factory: Factory): Factory {
    const known = this.#wrapped.get(factory)
    if (known !== undefined) return known
    // An ES module gets it by way of `require`, which has wrapped it already.
    if ([...this.#wrapped.values()].includes(factory)) return factory
    const wrapped: Factory = (given = {}) => {
      const server = factory(withoutCompiling(given))
      this.#watch(server, given)
      return server
    }
    Object.assign(wrapped, factory, { default: wrapped, fastify: wrapped, framework: wrapped })
    this.#wrapped.set(factory, wrapped)
    return wrapped
  }

  #watch(server: Server, options: ServerOptions): void {
    const { addHook, addSchema, register, setValidatorCompiler, setSerializerCompiler } = server
    const { ready, setSchemaController } = server
    const recorder = this
    this.roots.push({ server, options })
    addHook.call(server, 'onRoute', function (this: Server, route: RouteOptions) {
      recorder.#noteRoute(this, route, options)
    } as never)
    addHook.call(server, 'onRegister', ((child: Server) => {
      const parent = Object.getPrototypeOf(child) as Server
      this.#children.set(parent, [...(this.#children.get(parent) ?? []), child])
    }) as never)
    const methods: Partial<Server> & ThisType<Server> = {
      addHook(name, hook) {
        return name === 'onReady' || name === 'onListen' ? this : addHook.call(this, name, hook)
      },
      ready(...args) {
        recorder.#captureLast(server, register)
        return ready.apply(this, args)
      },
      addSchema(schema) {
        const id = (toPlain(schema) as { $id?: unknown } | null | undefined)?.$id
        // Fastify hands a schema on to child contexts by the same method: the first call is the application's.
        const calls = recorder.#schemaCalls.get(this) ?? new Map<string, Caller>()
        if (typeof id === 'string' && !calls.has(id)) calls.set(id, recorder.#noteCall())
        recorder.#schemaCalls.set(this, calls)
        return addSchema.call(this, schema)
      },
      register(...args) {
        recorder.#noteCall()
        return register.apply(this, args)
      },
      setValidatorCompiler(compiler) {
        recorder.#noteCompiler(this, 'validator')
        return setValidatorCompiler.call(this, compiler)
      },
      setSerializerCompiler(compiler) {
        recorder.#noteCompiler(this, 'serializer')
        return setSerializerCompiler.call(this, compiler)
      },
      setSchemaController(controller) {
        const { buildValidator, buildSerializer } =
          (controller as ServerOptions['schemaController'])?.compilersFactory ?? {}
        if (buildValidator) recorder.#noteCompiler(this, 'validator')
        if (buildSerializer) recorder.#noteCompiler(this, 'serializer')
        return setSchemaController.call(this, controller)
      },
      listen() {
        recorder.#announce()
        // What comes after it belongs to a running server.
        return new Promise(() => undefined)
      },
    }
    Object.assign(server, methods)
    for (const name of declaring) this.#noteGivenPath(server, name)
  }

  /** Hooks are told the whole URL; what it was made of matters for `/`. */
  #noteGivenPath(server: Server, name: string): void {
    const recorder = this
    const holder = server as unknown as Record<string, Declare | undefined>
    const declare = holder[name]
    if (declare === undefined) return
    holder[name] = function (this: Server, ...args) {
      const [first] = args
      const given = typeof first === 'object' ? (first as RouteGiven) : { url: String(first) }
      const outer = recorder.#given
      recorder.#given = name === 'route' ? given : { ...given, method: name }
      try {
        return declare.apply(this, args)
      } finally {
        recorder.#given = outer
      }
    }
  }

  /** Hooks run once for the two URLs of `/` under a prefix. */
  #noteRoute(server: Server, options: RouteOptions, factory: ServerOptions): void {
    const { method, url } = options
    const given = [this.#given.method ?? []].flat().map((one) => String(one).toUpperCase())
    // A HEAD route that nobody has asked for is the twin of a GET route.
    if (String(method) === 'HEAD' && !given.includes('HEAD')) return
    const caller = this.#noteCall()
    this.#routes.push({ server, method, url, options, caller })
    const { ignoreTrailingSlash, ignoreDuplicateSlashes } = factory
    const hasBoth =
      (this.#given.url || this.#given.path) === '/' &&
      options.routePath === '' &&
      options.prefixTrailingSlash !== 'no-slash' &&
      ignoreTrailingSlash !== true &&
      !(ignoreDuplicateSlashes === true && url.endsWith('/'))
    if (hasBoth) this.#routes.push({ server, method, url: `${url}/`, options, caller })
  }

  /** Once everything that is registered has been loaded, looks at the schemas. */
  #captureLast(server: Server, register: Server['register']): void {
    if (this.#captured.has(server)) return
    this.#captured.add(server)
    const capture = async (): Promise<void> => {
      for (const route of this.#routes) {
        const { schema } = route.options
        if (this.rootOf(route.server)?.server === server)
          route.schema = schema && toRecorded(schema)
      }
    }
    // Without a context of its own.
    register.call(server, Object.assign(capture, { [Symbol.for('skip-override')]: true }))
  }

  #noteCall(): Caller {
    const caller = findCaller()
    for (const at of caller.trail) this.#calls.set(`${at.file}:${at.line}:${at.column}`, at)
    return caller
  }

  #noteCompiler(server: Server, which: 'validator' | 'serializer'): void {
    this.#noteCall()
    const own = this.#compilers.get(server) ?? new Set()
    this.#compilers.set(server, own.add(which))
  }

  /** What an instance and those inside it declare. To be called when it is ready. */
  contextOf(server: Server, parent?: Server): RecordedContext {
    const own = this.#compilers.get(server)
    const declared = this.#routes.filter((route) => route.server === server)
    const options = this.rootOf(server)?.options ?? {}
    return {
      name: parent === undefined ? 'root' : nameOf(server),
      prefix: server.prefix,
      schemas: this.#schemasOf(server, parent),
      routes: declared.map((route) => toRoute(route, options)),
      children: (this.#children.get(server) ?? []).map((child) => this.contextOf(child, server)),
      hasValidatorCompiler: own?.has('validator') ?? false,
      hasSerializerCompiler: own?.has('serializer') ?? false,
    }
  }

  #schemasOf(server: Server, parent: Server | undefined): RecordedSchema[] {
    const inherited = parent?.getSchemas() ?? {}
    const calls = this.#schemaCalls.get(server)
    return Object.entries(server.getSchemas())
      .filter(([id]) => !Object.hasOwn(inherited, id))
      .map(([id, schema]) => {
        const { at, isOfPackage = true } = calls?.get(id) ?? {}
        return { id, schema: toRecorded(schema), at, isOfPackage }
      })
  }
}

/** Options under which nothing is compiled: that is for the build, which reports what does not compile. */
function withoutCompiling(given: ServerOptions): ServerOptions {
  const { logger, schemaController } = given
  const isLogger = typeof logger === 'object' && logger !== null && 'child' in logger
  return {
    ...given,
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

/** The options of a factory as the build wants to know them. */
export function optionsOf(given: ServerOptions): RecordedOptions {
  const { ajv, serializerOpts, schemaController } = given
  const { buildValidator, buildSerializer } = schemaController?.compilersFactory ?? {}
  return {
    customOptions: toRecorded(ajv?.customOptions ?? {}),
    plugins: ajv?.plugins?.length ?? 0,
    serializerOpts: toRecorded(serializerOpts ?? {}),
    jsonShorthand: given.jsonShorthand ?? true,
    exposeHeadRoutes: given.exposeHeadRoutes ?? true,
    hasValidatorCompiler: Boolean(buildValidator),
    hasSerializerCompiler: Boolean(buildSerializer),
  }
}

function toRoute(
  { method, url, options, caller, schema }: DeclaredRoute,
  { exposeHeadRoutes = true }: ServerOptions,
): RecordedRoute {
  return {
    methods: [method].flat().map((one) => one.toUpperCase()),
    url,
    schema: schema ?? (options.schema && toRecorded(options.schema)),
    hasValidatorCompiler: Boolean(options.validatorCompiler),
    hasSerializerCompiler: Boolean(options.serializerCompiler),
    exposeHeadRoute: options.exposeHeadRoute ?? exposeHeadRoutes,
    at: caller.at,
    isOfPackage: caller.isOfPackage,
  }
}

/** Fastify chains the names of a plugin and those inside it. */
function nameOf({ pluginName = '' }: Server): string {
  const name = pluginName.split(' -> ').at(-1) ?? ''
  // A function without a name is named by its first lines.
  return /^[\w@/.:-]+$/.test(name) ? name : 'anonymous'
}
