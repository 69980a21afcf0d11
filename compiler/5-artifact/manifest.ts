import type { LineName } from '../../runtime/artifact/lines.ts'
import type { ApplicationStart, Digest, ResolvedOptions, RouterOptions } from '../model/index.ts'
import type { PartStatus } from './coverage.ts'
import type { ManifestRouteSchema } from './manifest-schemas.ts'

/** `manifest.json`: the contents of the artifact, for people and CI jobs. The runtime reads places from it for its errors. */
export interface Manifest {
  readonly format: number
  /** The version of `framework`. */
  readonly version: string
  /** Versions of the packages that the functions were compiled with. */
  readonly compilers: Readonly<Record<string, string>>
  /** The target, unless that is the runtime of this package. */
  readonly line?: LineName
  readonly entry: string
  /** Compiled files of packages of the workspace, which the process runs, with the sources that the build has read. */
  readonly compiled?: Readonly<Record<string, string>>
  /** Digests of the application's files that the build read, without packages. The runtime tells by them that the source changed. */
  readonly sources: Readonly<Record<string, Digest>>
  /** How the application is started: by the entry `itself`, or by a file that imports it. */
  readonly start: ApplicationStart
  /** Why the boot in the sandbox stopped. Without it, the boot ended, or there was none. */
  readonly bootStop?: ManifestProblem
  /** Build options that affect the contents of the artifact. */
  readonly options: Pick<ResolvedOptions, 'allowDynamic' | 'trace' | 'target'> & {
    /** `false` if the application was not booted in the sandbox. */
    readonly boot?: false
  }
  /** Factory options that affect schemas, as far as they are data. */
  readonly factory: ManifestFactory
  /** The options that schemas were compiled with, as `UnitFactory.settings` describes them. */
  readonly settings: readonly string[]
  readonly documentation?: ManifestDocumentation
  readonly contexts: readonly ManifestContext[]
  readonly routes: readonly ManifestRoute[]
  readonly functions: Readonly<Record<Digest, ManifestFunction>>
  /** Routes, plugins and shared schemas that the build could not determine. */
  readonly dynamic: readonly ManifestProblem[]
  /** Warnings of the build. */
  readonly warnings?: readonly ManifestProblem[]
  /** Names that hooks of the application may have, if the build knows all of them. */
  readonly hookNames?: readonly string[]
  /** Numbers of parts by status, without HEAD twins. */
  readonly coverage: Readonly<Record<PartStatus, number>>
  /** Schemas by the names that routes and contexts use. */
  readonly schemas: Readonly<Record<string, unknown>>
}

export interface ManifestFactory {
  readonly jsonShorthand: boolean
  /** `ajv.customOptions`, without functions. */
  readonly ajv: Readonly<Record<string, unknown>>
  readonly mode?: string
  /** The factory option, if it is given; `null` if it isn't known. */
  readonly bodyLimit?: number | null
  readonly serializerOpts?: Readonly<Record<string, unknown>>
  /** Options of the router other than its default ones. */
  readonly router?: Partial<RouterOptions>
}

/** Something that only the running application knows, or a warning. */
export interface ManifestProblem {
  readonly code: string
  readonly message: string
  readonly at: string
}

export interface ManifestContext {
  readonly context: string
  /** Factory options of the root of a further instance. */
  readonly factory?: ManifestFactory
  readonly prefix: string
  /** `false` if a part is unknown, which is written as `/…`. */
  readonly isPrefixKnown?: false
  readonly at: string
  /** The `$id`s of schemas that the context itself adds. */
  readonly schemas: readonly string[]
  /** All known hooks of its routes, inherited ones included, in the order in which they are added. */
  readonly hooks?: readonly ManifestHook[]
  /** Plugins of packages in it or around it. */
  readonly plugins?: readonly ManifestPlugin[]
  /** The known ones of `schemas`, by `$id`: the name of the schema, and the place of `addSchema`. */
  readonly shared: Readonly<Record<string, { readonly schema: string; readonly at: string }>>
}

/** A plugin of a package. What it adds is unknown, except its hooks if a boot shows them. */
export interface ManifestPlugin {
  readonly name: string
  readonly at: string
  readonly areHooksKnown?: true
}

export interface ManifestHook {
  /** For example `onRequest`; `*` if it is any number of hooks of any kind. */
  readonly hook: string
  /** The name of the function, or ''. */
  readonly name: string
  /** The `fastify-plugin` that adds it to the context. */
  readonly plugin?: string
  /** File and exported name of the function, such as `src/auth.js#authenticate`, or of the one that returns it: `src/auth.js#requireRole()`. */
  readonly function?: string
  /** Other names under which files export it. */
  readonly aliases?: readonly string[]
  /** The package that adds it, or that its function is from. */
  readonly package?: string
  /** The decorator of an instance that it is: `authenticate` of `app.authenticate`. */
  readonly decorator?: string
  /** Why only the running application knows the function, or if there is one. */
  readonly unknown?: string
  readonly at: string
  readonly isConditional?: true
}

/** The registration of @fastify/swagger. */
export interface ManifestDocumentation {
  readonly context: string
  readonly at: string
  /** Options that are data. */
  readonly options: Readonly<Record<string, unknown>>
  /** Paths of other options: `transform`. `all` if no option is known. */
  readonly unknown: readonly string[]
  /** The document that the plugin wrote when the application was booted, if its options contain functions. */
  readonly document?: object
  /** Why there is no such document. */
  readonly failure?: string
}

export interface ManifestRoute {
  readonly method: string
  /** All methods of the declaration, if there are several: `GET, HEAD`. */
  readonly methods?: string
  readonly url: string
  readonly context: string
  /** `file:line:column`. */
  readonly at: string
  /** Route constraints: `version`, `host`. */
  readonly constraints?: Readonly<Record<string, string>>
  readonly schema?: ManifestRouteSchema
  /** Known hooks of the route itself. */
  readonly hooks?: readonly ManifestHook[]
  /** Other options that are data, such as `config`. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Names of options that the build doesn't know, or that aren't data; `*` if there may be any. */
  readonly unknownOptions?: readonly string[]
  /** @fastify/swagger was registered before the route. */
  readonly isDocumented?: true
  /** The HEAD route that a GET route gets automatically. */
  readonly isTwin?: true
  /** Digest by request part, or by part and media type: `body`, `body text/plain`. */
  readonly validators: Readonly<Record<string, Digest>>
  /** Digest by status, or by status and media type: `200`, `2xx application/json`. */
  readonly serializers: Readonly<Record<string, Digest>>
  /** Parts that the application compiles with its own compiler. */
  readonly external: readonly string[]
  /** Parts in `external` that JSON can't show, so that `schema` lacks them or a piece of them. */
  readonly opaque?: readonly string[]
  /** Parts in `external` whose schema was converted from a type of a library, which reads it at run time. */
  readonly libraries?: Readonly<Record<string, ManifestLibrary>>
  /** The status of each part. */
  readonly parts: Readonly<Record<string, PartStatus>>
  /** Parts without a function, because their schemas, or shared ones that they refer to, are unknown. */
  readonly dynamic: readonly (ManifestProblem & { readonly part: string })[]
}

export interface ManifestLibrary {
  /** `zod` */
  readonly name: string
  /** Digests of the compiled parsers of its types. */
  readonly parsers?: readonly Digest[]
  /** Why the live types parse. */
  readonly refusals?: readonly string[]
}

export interface ManifestFunction {
  readonly kind: 'validator' | 'serializer'
  /** Characters before minifying. */
  readonly size: number
  /** Bytes in the artifact. */
  readonly bytes: number
  /** The place of the first route that uses it. */
  readonly at: string
}
