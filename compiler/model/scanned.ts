/** What `1-scan` finds in the source. */
import type { OptionPath } from '../../runtime/artifact/index.ts'
import type { SourceLocation } from './diagnostic.ts'

/**
 * How a value became known. `literal`: read from the source; `sliced`: its few top-level statements were evaluated;
 * `traced`: the application was booted, and told.
 */
export type Origin = 'literal' | 'sliced' | 'traced'

/** A value that is known; but for traced ones, without running the application. */
export interface StaticValue<T = unknown> {
  /** Plain data, safe to clone; nothing in it is shared with another `StaticValue`. */
  readonly value: T
  /** Where the expression stands. */
  readonly at: SourceLocation
  /** How what lies at `path` inside the value became known. */
  originOf(path: readonly (string | number)[]): Origin
  /**
   * The nearest known place of what lies at `path` inside the value, for example `['body', '$ref']`.
   *
   * @param what `'name'` is where the name of that member stands
   */
  locate(path: readonly (string | number)[], what?: 'name'): SourceLocation
}

/** A value that exists only in a module (a function, say): whoever needs it imports it from there. */
export interface ImportRef {
  /** An absolute file path, or a package specifier as written. */
  readonly specifier: string
  /** The absolute path of the file that a package specifier is resolved from. */
  readonly importer: string
  /** The exported name; `default` and `*` as in ECMAScript. */
  readonly name: string
  /**
   * The text of an ES module with that export, when it is not `specifier` itself that is to be imported: the few statements
   * that the value needs. Its imports name packages, to be resolved from `importer`.
   */
  readonly code?: string
  /** Where in `ajv` of the factory options the value is: the running application has it there as well. */
  readonly option?: OptionPath
  readonly at: SourceLocation
}

/** `ajv` of the factory options. */
export interface AjvOptionsSource {
  /** `ajv.customOptions`; plain data. Values that only a module holds stand in `imports`. */
  readonly customOptions: StaticValue<Record<string, unknown>> | undefined
  /** Paths inside `customOptions` whose values must be imported, such as `['formats', 'isbn']`. */
  readonly imports: readonly { readonly path: readonly string[]; readonly ref: ImportRef }[]
  /** `ajv.plugins`, in order. */
  readonly plugins: readonly {
    readonly ref: ImportRef
    readonly options: StaticValue | undefined
  }[]
  /** `ajv.mode`. */
  readonly mode?: string | undefined
  /** `ajv.parts`: options by request part. */
  readonly parts?: StaticValue<Record<string, unknown>> | undefined
  /** `ajv.onCreate`. */
  readonly onCreate?: ImportRef | undefined
}

/** A part of a value that is not known without running the application. */
export interface SchemaHole {
  readonly path: readonly (string | number)[]
  /** Completes "…: <why>." */
  readonly why: string
  readonly at: SourceLocation
  /** The cause is in the report already. */
  readonly reported: boolean
  /** The module that it would come from, could it be found; `at` is its import. */
  readonly missing?: string | undefined
  /** A symbol stands there: it says nothing to a keyword that only has a name. */
  readonly isSymbol?: boolean | undefined
}

/** A schema as the scan found it. What is not known is left out of the value and listed. */
export interface ScannedSchema {
  readonly value: StaticValue
  readonly holes: readonly SchemaHole[]
}

/**
 * Under which outcomes of conditions something happens. Two things exclude each other when they stand in different
 * branches of one condition.
 */
export type Branches = readonly { readonly condition: number; readonly index: number }[]

/** What a context does, in the order in which the booting application does it. */
export type ScannedOperation =
  | { readonly type: 'route'; readonly route: ScannedRoute }
  | { readonly type: 'child'; readonly context: ScannedContext }
  | {
      readonly type: 'schema'
      /** One, or all that it may be when that depends on a condition. */
      readonly schemas: readonly ScannedSchema[]
      readonly at: SourceLocation
      readonly branches: Branches
    }
  | { readonly type: 'compiler'; readonly which: 'validator' | 'serializer' }

/** A hook that is added somewhere. */
export interface SeenHook {
  /** `onRequest`. */
  readonly hook: string
  /** Of the function; `''` when it has none. */
  readonly name: string
  /** The wrapped plugin that adds it to the context. */
  readonly plugin: string | undefined
  readonly at: SourceLocation
  readonly isConditional: boolean
}

/** A plugin of a package that is registered somewhere. */
export interface SeenPlugin {
  readonly name: string
  readonly at: SourceLocation
}

/** What the application says to @fastify/swagger. */
export interface Documentation {
  /** Its options, one for each that they may be. */
  readonly options: readonly ScannedSchema[]
  readonly at: SourceLocation
}

export interface ScannedRoute {
  /** Upper case. */
  readonly methods: readonly string[]
  /** As written, without the prefix of the context. */
  readonly path: string
  /** What `/` stands for under a prefix. */
  readonly prefixTrailingSlash: 'both' | 'slash' | 'no-slash'
  /** One, or all that it may be; an `undefined` value means a route without a schema. */
  readonly schemas: readonly ScannedSchema[]
  readonly validatorCompiler: 'own' | undefined
  readonly serializerCompiler: 'own' | undefined
  readonly exposeHeadRoute: boolean | undefined
  /** GET is its method in the way in which Fastify gives it a HEAD twin: some lines of it take no list, or no lower case. */
  readonly wantsTwin: boolean
  /** `undefined` when they are not known, or need strategies of the application. */
  readonly constraints: Readonly<Record<string, string>> | undefined
  readonly at: SourceLocation
  /** Whether a condition that only the running application knows decides about it. */
  readonly isConditional: boolean
  /** Its own hooks. */
  readonly hooks: readonly SeenHook[]
  /** @fastify/swagger is there when it is declared. */
  readonly isDocumented: boolean
  /** HEAD routes that Fastify adds to it, if hooks may have given them another schema. */
  readonly twins: readonly ScannedRoute[]
}

/**
 * Who compiles for a context when the application is ready. Which calls count depends on their order: a context starts
 * with what was set around it by then, and one that is given schemas afterwards falls back to what builds compilers.
 * `undefined`: as the factory options say.
 */
export interface CompilersInUse {
  readonly validator: 'own' | undefined
  readonly serializer: 'own' | undefined
  /** A compiler was set at some time: from then on header schemas are left as they are, whoever compiles them. */
  readonly keepsHeaders: boolean
}

/** One instance: the root, or what a plugin was given. */
export interface ScannedContext {
  readonly name: string
  /** The full prefix. */
  readonly prefix: string
  /** Whether all of it is known; what is not is left out of it. */
  readonly isPrefixKnown: boolean
  readonly at: SourceLocation
  readonly operations: readonly ScannedOperation[]
  /** All that hold for its routes, in the order in which they are added. */
  readonly hooks: readonly SeenHook[]
  /** Plugins of packages that are registered in it, or were around it before; what they add is not known. */
  readonly plugins: readonly SeenPlugin[]
  /** Where @fastify/swagger is registered for the first time. */
  readonly documentation?: Documentation | undefined
  readonly compilers: CompilersInUse
  /** Whether a condition that only the running application knows decides about it. */
  readonly isConditional: boolean
}

/** Where the application imports a package. */
export interface PackageImport {
  /** As written. */
  readonly specifier: string
  /** The absolute path of the file that imports it. */
  readonly importer: string
  /** By `require`, rather than by `import`. */
  readonly isRequired: boolean
  readonly at: SourceLocation
}

/** Where the application registers a plugin that a package exports. */
export interface PackagePlugin {
  /** As written in the import. */
  readonly specifier: string
  /** The absolute path of the file that imports it. */
  readonly importer: string
  /** Whether a condition that only the running application knows decides about it. */
  readonly isConditional: boolean
  readonly at: SourceLocation
}

/** What following the source from the entry has shown. */
export interface SourceGraph {
  readonly options: FactoryOptions
  /** Factory options that change how a URL is joined. */
  readonly ignoreTrailingSlash: boolean
  readonly ignoreDuplicateSlashes: boolean
  readonly caseSensitive: boolean
  readonly root: ScannedContext
  readonly packages: readonly PackageImport[]
  readonly plugins: readonly PackagePlugin[]
  /** All names that the application's files mention. */
  readonly names: ReadonlySet<string>
  readonly start: ApplicationStart
  /** Names of what the entry exports for others than itself to call: classes and objects. */
  readonly exports: readonly string[]
  /** Files that are loaded by names which no bundler can read: by autoload, by `import(variable)`. Absolute, sorted. */
  readonly loadedByName: readonly string[]
  /**
   * Finds what schemas are made of, as far as it is written as plain data. In the order of their places; none lies in
   * another. Only deployments ask.
   */
  literals(): readonly SchemaLiteral[]
}

/** An object literal that schemas are made of; JSON says all of its value. */
export interface SchemaLiteral {
  /** Absolute. */
  readonly file: string
  /** In UTF-16 code units. */
  readonly start: number
  /** As written. */
  readonly text: string
  /** The value. */
  readonly json: string
  /** `route`: all of a `schema` option; `part`: what one function is compiled from; `value`: anything else. */
  readonly role: 'route' | 'part' | 'value'
}

/** How the entry comes to an application that serves. */
export type ApplicationStart =
  /** The entry makes it and tells it to listen, or leaves nobody a way to it. */
  | { readonly kind: 'itself' }
  /** The entry exports it, what makes it, or a plugin. `path`: the export, then the member of it, if it is one. */
  | {
      readonly kind: 'instance' | 'factory' | 'class' | 'plugin'
      readonly path: readonly string[]
    }

/** The factory options that decide what is compiled. */
export interface FactoryOptions {
  readonly ajv: AjvOptionsSource
  /** `serializerOpts`; plain data. */
  readonly serializerOpts: StaticValue<Record<string, unknown>> | undefined
  /** Default `true`. */
  readonly jsonShorthand: boolean
  /** Default `true`. */
  readonly exposeHeadRoutes: boolean
  /** Methods whose requests the application has given a body. */
  readonly withBody?: readonly string[]
  /** Whether the application keeps shared schemas in a bucket of its own: `schemaController.bucket`. */
  readonly hasOwnBucket?: boolean
  /** `own` when `schemaController.compilersFactory` brings that compiler. */
  readonly validatorCompiler: CompilerChoice
  readonly serializerCompiler: CompilerChoice
}

/** `default`: compiled ahead of time. `own`: the application brings its own compiler, we leave it alone. */
export type CompilerChoice = 'default' | 'own'
