/**
 * Every type that crosses a phase border, in the order in which the data flows:
 *
 *     ResolvedOptions -> SourceGraph -> ContextTree -> ResolvedApp -> EmittedUnit[] -> Output
 *
 * Values of these types are plain data and never changed by a later phase. One function is among them: `KnownValue.locate` searches the
 * source when a message needs a place.
 */
import type { CompileUnit, Digest, HttpPart } from '../../runtime/artifact/index.ts'
import type { LineName, Serializing } from '../../runtime/artifact/lines.ts'
import type { Diagnostic, SourceLocation } from './diagnostic.ts'
import type {
  Branches,
  CompilersInUse,
  FactoryOptions,
  KnownValue,
  LibraryPart,
  ScannedContext,
  ScannedRoute,
  SeenHook,
} from './scanned.ts'

export type { CompileUnit, Digest, HttpPart }
export type * from './code.ts'
export type * from './diagnostic.ts'
export type * from './phase.ts'
export type * from './resolved.ts'
export type * from './scanned.ts'

/** The options of a build with every default filled in. Paths are absolute. */
export interface ResolvedOptions {
  readonly entry: string
  /** The folder that paths in reports and in the manifest are relative to. */
  readonly root: string
  readonly out: string
  /** Uses the cache of earlier builds. */
  readonly cache: boolean
  /** Leaves out what only the running application knows, instead of reporting it. */
  readonly allowDynamic: boolean
  /** Boots the application in the sandbox beside the scan. `whenNeeded`: only if its source doesn't show everything. */
  readonly boot: 'always' | 'whenNeeded' | 'never'
  /** The environment of that boot. */
  readonly bootEnvironment: Readonly<Record<string, string>>
  /** Boots the application to record what its source doesn't show. */
  readonly trace: boolean
  /** Boots the application to compare what it declares with its source. */
  readonly verify: boolean
  /** Makes packages that generate code at run time an error instead of a warning. */
  readonly strictEval: boolean
  /** How long booting may take, in ms. */
  readonly bootTimeout: number
  /** The option `line`, or else the detected target: another build with it gives the same artifact. `framework` leaves `line` to the imports. */
  readonly target: LineName
  /** The server that the functions are for. */
  readonly line: LineName
  /** The fast-json-stringify that serializers behave like. */
  readonly serializers: Serializers
  readonly server: Server | undefined
  /** The package that creates applications. */
  readonly factory: Runtime | 'fastify'
}

/** The implementation whose output serializers match. */
export interface Serializers {
  readonly as: Serializing
  /** The installed version of fast-json-stringify, if it is unsupported. */
  readonly unlike?: string
  /** The installed version of fast-json-stringify, if this package's line for Fastify 5 serializes like a later one. */
  readonly older?: string
}

/** The entries of this package that answer like a line of Fastify. */
export type Runtime = 'framework' | 'framework/5'

export interface Server {
  /** The package, with its version if that decides. */
  readonly name: string
  /** `undefined` for an unsupported release of Fastify. */
  readonly line: LineName | undefined
  /** The module that imports it; `undefined` if only package.json names it. */
  readonly importer: string | undefined
  /** True for a Fastify that is imported, but neither installed nor listed in package.json. */
  readonly isMissing?: boolean
  /** True if this package serves an application that imports Fastify, because `framework/fastify` is preloaded. */
  readonly isReplaced?: boolean
}

export interface SharedSchema {
  /** The conditions under which it is added; none if it was recorded. */
  readonly branches: Branches
  readonly id: string
  /** Number of the call in the order of a boot; `undefined` if it was recorded. */
  readonly order?: number
  readonly schema: KnownValue<Record<string, unknown>>
  /** Where `addSchema` is called. */
  readonly at: SourceLocation
}

/** A part of a route that isn't known. */
export interface DynamicPart {
  /** As the manifest names it: `body`, `200`, `response` for all responses, `schema` for all of the option. */
  readonly part: string
  readonly problem: Diagnostic
}

export interface UnknownSchema {
  /** `undefined` if its `$id` isn't known either. */
  readonly id: string | undefined
  readonly at: SourceLocation
  readonly problem: Diagnostic
}

export interface RouteNode
  extends
    Pick<ScannedRoute, 'methods' | 'at' | 'validatorCompiler' | 'serializerCompiler'>,
    Partial<Pick<ScannedRoute, 'hooks' | 'isDocumented' | 'constraints' | 'options'>> {
  /** The full URL, prefixes included. */
  readonly url: string
  /** The route's `schema` option as written, not normalised; `undefined` if it has none. */
  readonly schema: KnownValue<Record<string, unknown>> | undefined
  /** Parts that `schema` lacks because they aren't known. */
  readonly dynamic: readonly DynamicPart[]
  /** Parts that `schema` lacks because only the application's own compiler can read them: `body`, `200`. */
  readonly opaque: readonly string[]
  /** Types of libraries that only the application's own compiler can read, by part. There are several for several media types. */
  readonly libraries: Readonly<Record<string, readonly LibraryPart[]>>
  /** True if it depends on a condition that only the running application knows. */
  readonly isConditional: boolean
  /** These conditions; none if it was recorded. */
  readonly branches: Branches
  /** True if GET gets a HEAD twin: the route option, else the factory option. */
  readonly exposeHeadRoute: boolean
  /** The URL of its HEAD twin; `undefined` if it has none, or if another route answers HEAD already. */
  readonly twinUrl: string | undefined
  /** HEAD twins that hooks have given another schema or other hooks than the route's; one for each schema that it may be. */
  readonly twins?: readonly RouteNode[]
  /** The hooks of its HEAD twin, if a boot shows them. */
  readonly twinHooks?: readonly SeenHook[] | undefined
}

/** One encapsulation context. It includes what wrapped plugins register into it. */
export interface ContextNode
  extends
    Pick<ScannedContext, 'name' | 'prefix' | 'isPrefixKnown' | 'at' | 'isConditional'>,
    Partial<Pick<ScannedContext, 'hooks' | 'plugins' | 'documentation'>> {
  /** Schemas that are added in this context, in order. Descendants inherit them. */
  readonly schemas: readonly SharedSchema[]
  /** Schemas that are added in this context but aren't known. */
  readonly unknownSchemas: readonly UnknownSchema[]
  readonly routes: readonly RouteNode[]
  readonly children: readonly ContextNode[]
  /** `setValidatorCompiler` / `setSerializerCompiler` called in this context; else `undefined`. */
  readonly validatorCompiler: 'own' | undefined
  readonly serializerCompiler: 'own' | undefined
  /** The result of such calls, if their order is known. */
  readonly compilers?: CompilersInUse | undefined
}

export interface InstanceTree {
  readonly options: FactoryOptions
  readonly root: ContextNode
}

export interface ContextTree extends InstanceTree {
  readonly others: readonly InstanceTree[]
}
