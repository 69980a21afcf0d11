/** The result of `1-scan`: what the source declares. */
import type { Digest, OptionPath } from '../../runtime/artifact/index.ts'
import type { SourceLocation } from './diagnostic.ts'

/** How a value became known: read from the source, computed in the sandbox, or recorded from the booted application. */
export type Origin = 'literal' | 'sliced' | 'traced'

export interface PartOrigin {
  readonly path: readonly (string | number)[]
  readonly origin: Exclude<Origin, 'literal'>
}

export interface KnownValue<T = unknown> {
  /** Plain data that shares nothing with another `KnownValue`. */
  readonly value: T
  readonly at: SourceLocation
  /** How its parts became known, if they aren't literals. */
  readonly origins: readonly PartOrigin[]
  /** The nearest known place of the member at `path`, for example `['body', '$ref']`, or of its name. */
  locate(path: readonly (string | number)[], what?: 'name'): SourceLocation
}

/** A value that must be imported from a module, such as a function. */
export interface ImportRef {
  /** An absolute file path, or a package specifier as written. */
  readonly specifier: string
  /** The absolute path of the file that a package specifier is resolved from. */
  readonly importer: string
  /** The exported name; `default` and `*` as in ECMAScript. */
  readonly name: string
  /** Source of an ES module to import instead of `specifier`. Its imports are packages, resolved from `importer`. */
  readonly code?: string
  /** The path in `ajv` of the factory options, where the running application has the value as well. */
  readonly option?: OptionPath
  readonly at: SourceLocation
}

/** `ajv` of the factory options. */
export interface AjvOptionsSource {
  /** `ajv.customOptions` as plain data. Values that must be imported are in `imports`. */
  readonly customOptions: KnownValue<Record<string, unknown>> | undefined
  /** Paths inside `customOptions` whose values must be imported, such as `['formats', 'isbn']`. */
  readonly imports: readonly { readonly path: readonly string[]; readonly ref: ImportRef }[]
  readonly plugins: readonly {
    readonly ref: ImportRef
    readonly options: KnownValue | undefined
  }[]
  readonly mode?: string | undefined
  /** `ajv.parts`: options by request part. */
  readonly parts?: KnownValue<Record<string, unknown>> | undefined
  readonly onCreate?: ImportRef | undefined
}

/** A part of a value that isn't known. */
export interface SchemaHole {
  readonly path: readonly (string | number)[]
  /** Completes "…: <why>." */
  readonly why: string
  readonly at: SourceLocation
  /** True if the cause has been reported already. */
  readonly reported: boolean
  /** The module that it would come from, if it can't be found; `at` is its import. */
  readonly missing?: string | undefined
  /** True if the value is a symbol: a keyword definition that is only a name ignores it. */
  readonly isSymbol?: boolean | undefined
  /** Set for a type of a library: the value has its JSON schema. */
  readonly described?: LibraryPart | undefined
}

/** A type of a schema library, which reads a part of a route at run time. */
export interface LibraryPart {
  /** Name of the library. */
  readonly library: string
  readonly parser?: LibraryParser | undefined
  /** Why there is no parser, if the library has a compiler. Completes "Its type parses at run time: ….". */
  readonly refusal?: string | undefined
}

/** A compiled parser of a library's type. */
export interface LibraryParser {
  /** Made of the type alone. */
  readonly digest: Digest
  /** The module of the library whose functions it calls: `zod/v4/core`. */
  readonly module: string
  /** Members of that module that it uses. */
  readonly members: readonly string[]
  /** As in `PackedUnit`. `take` gets paths that begin with `type`, or with the name of the library. */
  readonly maker: string
  readonly imports: readonly string[]
  /** True if encoding gives what parsing gives, so that it writes responses, too. */
  readonly encodes: boolean
}

/** A call of the booted application that Workers allow only during requests. */
export interface CallAtStart {
  /** `starts a timer` */
  readonly what: string
  /** `file` is absolute. */
  readonly at: Pick<SourceLocation, 'file' | 'line' | 'column'>
}

/** A schema as the scan found it. Unknown parts are left out of the value and listed as holes. */
export interface ScannedSchema {
  readonly value: KnownValue
  readonly holes: readonly SchemaHole[]
  /** The conditions under which the value is this one. */
  readonly branches: Branches
}

/** The branches of conditions under which something happens. Different branches of one condition exclude each other. */
export type Branches = readonly { readonly condition: number; readonly index: number }[]

/** An operation of a context, in the order of the booting application. */
export type ScannedOperation =
  | { readonly type: 'route'; readonly route: ScannedRoute }
  | { readonly type: 'child'; readonly context: ScannedContext }
  | {
      readonly type: 'schema'
      /** Several if it depends on a condition. */
      readonly schemas: readonly ScannedSchema[]
      readonly at: SourceLocation
    }
  | { readonly type: 'compiler'; readonly which: 'validator' | 'serializer' }

export interface SeenHook {
  /** For example `onRequest`; `*` if it is any number of hooks of any kind. */
  readonly hook: string
  /** Name of the function; `''` if it has none. */
  readonly name: string
  /** The wrapped plugin that adds it to the context. */
  readonly plugin: string | undefined
  /** File and exported name of the function, such as `src/auth.js#authenticate`, or of the one that returns it: `src/auth.js#requireRole()`. */
  readonly function?: string | undefined
  /** Other names under which files export it. */
  readonly aliases?: readonly string[] | undefined
  /** The package that adds it, or that its function is from. */
  readonly package?: string | undefined
  /** The decorator of an instance that it is: `authenticate`. */
  readonly decorator?: string | undefined
  /** Completes "…, but <why>" if only the running application knows the function, or if there is one. */
  readonly unknown?: string | undefined
  readonly at: SourceLocation
  readonly isConditional: boolean
}

export interface SeenPlugin {
  readonly name: string
  readonly at: SourceLocation
  readonly isConditional: boolean
  /** True if a boot shows the hooks that it adds. */
  readonly areHooksKnown?: boolean
}

/** The registration of @fastify/swagger. */
export interface Documentation {
  /** Its options; several if they depend on a condition. */
  readonly options: readonly ScannedSchema[]
  readonly at: SourceLocation
}

export interface ScannedRoute {
  /** Upper case. */
  readonly methods: readonly string[]
  /** As written, without the prefix of the context. */
  readonly path: string
  /** The URLs of the path `/` under a prefix. `joined`: prefix and path, as for any other path. Fastify does so for `method: 'HEAD'`. */
  readonly prefixTrailingSlash: 'both' | 'slash' | 'no-slash' | 'joined'
  /** Several if it depends on a condition; an `undefined` value means a route without a schema. */
  readonly schemas: readonly ScannedSchema[]
  readonly validatorCompiler: 'own' | undefined
  readonly serializerCompiler: 'own' | undefined
  readonly exposeHeadRoute: boolean | undefined
  /** True if its methods are written so that Fastify adds a HEAD twin: some releases ignore lists, or lower case. */
  readonly wantsTwin: boolean
  /** `undefined` if they aren't known, or need strategies of the application. */
  readonly constraints: Readonly<Record<string, string>> | undefined
  readonly at: SourceLocation
  /** The conditions that it depends on, which only the running application knows. */
  readonly branches: Branches
  readonly hooks: readonly SeenHook[]
  /** Plain data such as `config`, and the names of unknown options. The name `*` means that other options may exist. */
  readonly options:
    | { readonly value: Readonly<Record<string, unknown>>; readonly unknown: readonly string[] }
    | undefined
  /** True if @fastify/swagger is registered before the route is declared. */
  readonly isDocumented: boolean
  /** HEAD routes that Fastify adds to it, if hooks may have given them another schema. */
  readonly twins: readonly ScannedRoute[]
}

/**
 * The compilers of a context when the application is ready. They depend on the order of calls: a context starts with the compilers
 * that its parent has by then. They give way to the default ones if it gets schemas; on some targets, so do its own. `undefined`: as
 * the factory options say.
 */
export interface CompilersInUse {
  readonly validator: 'own' | undefined
  readonly serializer: 'own' | undefined
  /** A validator compiler was set at some time: from then on header schemas aren't changed, whoever compiles them. */
  readonly keepsHeaders: boolean
}

/** One instance: the root, or the instance that a plugin gets. */
export interface ScannedContext {
  readonly name: string
  /** The full prefix. */
  readonly prefix: string
  /** True if the whole prefix is known. An unknown part is written as `/…`. */
  readonly isPrefixKnown: boolean
  readonly at: SourceLocation
  readonly operations: readonly ScannedOperation[]
  /** The hooks of its routes, in the order in which they are added. */
  readonly hooks: readonly SeenHook[]
  /** Plugins of packages that are registered in it, or in its parents before it. What they add isn't known. */
  readonly plugins: readonly SeenPlugin[]
  /** The first registration of @fastify/swagger. */
  readonly documentation?: Documentation | undefined
  readonly compilers: CompilersInUse
  /** True if it depends on a condition that only the running application knows. */
  readonly isConditional: boolean
}

export interface PackageImport {
  /** As written. */
  readonly specifier: string
  /** The absolute path of the file that imports it. */
  readonly importer: string
  /** True for `require`, false for `import`. */
  readonly isRequired: boolean
  readonly at: SourceLocation
}

/** A registration of a plugin that a package exports. */
export interface PackagePlugin extends Omit<PackageImport, 'isRequired'> {
  readonly isConditional: boolean
  /** True if the scan reads what it declares in its source. */
  readonly isFollowed: boolean
}

/** An instance that a factory returns, and what is declared on it. */
export interface ScannedInstance {
  readonly options: FactoryOptions
  readonly root: ScannedContext
}

/** The declarations of an application, collected from its entry on. */
export interface SourceGraph extends ScannedInstance {
  /** Further instances with schemas, such as one that serves metrics. */
  readonly others: readonly ScannedInstance[]
  readonly packages: readonly PackageImport[]
  readonly plugins: readonly PackagePlugin[]
  /** Identifiers in the application's files. They show what it may use, such as `listen`. */
  readonly names: ReadonlySet<string>
  /** The application's files that were read. Absolute. */
  readonly files: ReadonlySet<string>
  /** Names of exported functions and of decorators, as rules name hooks. */
  readonly hookNames: readonly string[]
  /** Compiled files of packages of the workspace, with the sources that the scan has read in their place. Absolute. */
  readonly compiled: ReadonlyMap<string, string>
  readonly start: ApplicationStart
  /** The entry, if nothing lets the application listen. */
  readonly unstartedAt: SourceLocation | undefined
  /** Names of the entry's exports that may be classes or objects. */
  readonly exports: readonly string[]
  /** Names of the entry's exports that may be functions. */
  readonly functions: readonly string[]
  /** Names of functions that it exports, or that are members of its default export, and that some platform calls. */
  readonly handlers: readonly string[]
  /** Files that are loaded by computed names, which no bundler finds: by autoload, by `import(variable)`. Absolute, sorted. */
  readonly loadedByName: readonly string[]
  /** The outermost object literals of plain data that schemas consist of, in the order of their places, if a deployment needs them. */
  readonly literals?: readonly SchemaLiteral[] | undefined
  /** The object literals of route schemas that create types, if a deployment may create these later. */
  readonly typeLiterals?: readonly TypeLiteral[] | undefined
}

/** An object literal with members that create types of a schema library. */
export interface TypeLiteral extends Pick<SchemaLiteral, 'file' | 'start' | 'text'> {
  /** The expressions that create them, in UTF-16 code units of the file. */
  readonly types: readonly { readonly name: string; readonly start: number; readonly end: number }[]
}

/** An object literal that is a schema or a part of one. */
export interface SchemaLiteral {
  /** Absolute. */
  readonly file: string
  /** In UTF-16 code units. */
  readonly start: number
  readonly text: string
  /** Its value, which JSON represents completely. */
  readonly json: string
  /** `route`: a whole `schema` option; `part`: the schema of one function; `value`: anything else. */
  readonly role: 'route' | 'part' | 'value'
}

/** How the entry starts the application. */
export type ApplicationStart =
  /** The entry creates it and calls `listen`, or doesn't export it. `exportsFetch`: it calls no `listen`, and its default export has `fetch`. */
  | { readonly kind: 'itself'; readonly exportsFetch?: true }
  /**
   * The entry exports the application, a function or class that creates it, or a plugin. `path`: the export, then its member, if any.
   * `takesOptions`: the plugin's instance gets the factory options that the entry exports as `options`.
   */
  | {
      readonly kind: 'instance' | 'factory' | 'class' | 'plugin'
      readonly path: readonly string[]
      readonly takesOptions?: true
    }

/** The factory options that affect what is compiled. */
export interface FactoryOptions {
  readonly ajv: AjvOptionsSource
  /** `serializerOpts`; plain data. */
  readonly serializerOpts: KnownValue<Record<string, unknown>> | undefined
  /** Default `true`. */
  readonly jsonShorthand: boolean
  /** Default `true`. */
  readonly exposeHeadRoutes: boolean
  readonly router: RouterOptions
  /** `undefined` if it isn't given, `null` if it isn't known. */
  readonly bodyLimit?: number | null | undefined
  /** Methods that the application allows a body for. */
  readonly withBody?: readonly string[]
  /** True if the application has its own bucket of shared schemas: `schemaController.bucket`. */
  readonly hasOwnBucket?: boolean
  /** `own` if `schemaController.compilersFactory` has that compiler. */
  readonly validatorCompiler: CompilerChoice
  readonly serializerCompiler: CompilerChoice
}

/** The options that decide which URLs are the same. */
export interface RouterOptions {
  readonly ignoreTrailingSlash: boolean
  readonly ignoreDuplicateSlashes: boolean
  readonly caseSensitive: boolean
}

/** `default`: compiled ahead of time. `own`: the application has its own compiler. */
export type CompilerChoice = 'default' | 'own'
