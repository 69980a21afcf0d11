/** Declarations of a booted application. They are sent between processes, so they are plain data. */
import type {
  CallAtStart,
  ContextNode,
  LibraryPart,
  RouteNode,
  RouterOptions,
} from '../model/index.ts'
import type { Place } from '../util/stack.ts'

/** A value as data. Parts that aren't data are left out and listed. */
export interface RecordedValue {
  readonly value: unknown
  readonly holes: readonly {
    readonly path: readonly (string | number)[]
    readonly why: string
    /** Set for a type of a library: the value has its JSON schema. */
    readonly described?: LibraryPart | undefined
  }[]
}

/** The application's own compilers of a route, a context or the factory. */
export interface RecordedCompilers {
  validatorCompiler: 'own' | undefined
  serializerCompiler: 'own' | undefined
}

/** A hook of requests. */
export interface RecordedHook {
  readonly hook: string
  /** The name of the function. */
  readonly name: string
  /** The package that adds it; `''` if it isn't known. */
  readonly package?: string | undefined
  /** The line of the application that adds it. */
  readonly at?: Place | undefined
  /** True if another boot didn't add it. */
  readonly isConditional?: boolean
}

/** HEAD twins of GET routes aren't listed. */
export interface RecordedRoute
  extends RecordedCompilers, Pick<RouteNode, 'methods' | 'url' | 'exposeHeadRoute'> {
  /** The `schema` option after `onRoute` hooks. */
  readonly schema: RecordedValue | undefined
  readonly at: Place | undefined
  /** True if a package declares it. */
  readonly isOfPackage: boolean
  /** Hooks of the route itself, after `onRoute` hooks. */
  readonly hooks: readonly RecordedHook[]
  /** The hooks of its HEAD twin; `undefined` if it has none. */
  readonly twinHooks: readonly RecordedHook[] | undefined
}

export interface RecordedContext extends RecordedCompilers, Pick<ContextNode, 'name' | 'prefix'> {
  /** Schemas added in this context, in order, and where `addSchema` was called. */
  readonly schemas: readonly {
    readonly id: string
    readonly schema: RecordedValue
    readonly at: Place | undefined
  }[]
  /** Hooks of its routes in the order in which they are added, with inherited ones. */
  readonly hooks: readonly RecordedHook[]
  readonly routes: readonly RecordedRoute[]
  readonly children: readonly RecordedContext[]
}

/** The factory options that affect compiling. */
export interface RecordedOptions extends RecordedCompilers {
  readonly customOptions: RecordedValue
  /** Number of `ajv.plugins`. */
  readonly plugins: number
  readonly serializerOpts: RecordedValue
  readonly jsonShorthand: boolean
  readonly exposeHeadRoutes: boolean
  readonly router: RouterOptions
}

export interface RecordedInstance {
  readonly options: RecordedOptions
  readonly root: RecordedContext
  /** The document that @fastify/swagger writes, if its options contain functions, which only the application can call. */
  readonly document?: RecordedValue | undefined
}

/** Reads of a sandboxed boot. */
export interface Surroundings {
  /** Absolute paths of files and folders, without those of packages. */
  readonly reads: readonly string[]
  /** Environment variables that aren't set. */
  readonly missing: readonly string[]
}

export interface Recording extends RecordedInstance, Partial<Surroundings> {
  /** Further instances with schemas. */
  readonly others: readonly RecordedInstance[]
  /** The packages that add decorators to instances, by name; `''` for those of the application. */
  readonly decorators: Readonly<Record<string, string>>
  /** Lines of the application that led to calls of its instances. */
  readonly calls: readonly Place[]
  /** Absolute paths of the application's loaded files, without those of packages. */
  readonly files: readonly string[]
  /** Files of the application that packages load by computed names, such as those of a pattern. */
  readonly namedFiles: readonly string[]
  readonly callsAtStart: readonly CallAtStart[]
  /** Open handles by description: `timer`, `TCP socket`. */
  readonly handles: Readonly<Record<string, number>>
}

/** Why there is no recording. The child process sends one or the other. */
export interface RecordingFailure extends Partial<Surroundings> {
  /** `time`: the time limit was exceeded; `idle`: it waited for something that didn't come; `none`: no instance was created. */
  readonly kind: 'error' | 'idle' | 'time' | 'none'
  readonly reason: string
  readonly at: Place | undefined
}
