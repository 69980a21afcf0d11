/** The result of `3-resolve`: the functions to compile, and the routes that use them. */
import type { CompileUnit, Digest, HttpPart } from '../../runtime/artifact/index.ts'
import type { SettingsTable } from '../../runtime/artifact/settings.ts'
import type { RouteNode, SharedSchema } from './index.ts'
import type { SourceLocation } from './diagnostic.ts'

/** A use of a schema: a part of a route. */
export interface BindingSite {
  readonly route: RouteNode
  /** The names of the contexts from the root to the route, joined by ` > `. */
  readonly context: string
  /** For a validator. */
  readonly httpPart?: HttpPart
  /** For a serializer, as normalised: `200`, `2xx`, `default`. */
  readonly httpStatus?: string
  /** If a response or body has a schema for each media type. */
  readonly contentType?: string
}

/** The function for a part of a route. */
export interface Binding extends BindingSite {
  readonly digest: Digest
  readonly at: SourceLocation
  /** The place of the schema inside the route's `schema` option. */
  readonly path: readonly string[]
}

/** A part whose schema the application's own compiler compiles. */
export type ExternalPart = BindingSite

/** A compile unit with the first place that needs it. */
export interface ResolvedUnit extends CompileUnit {
  readonly at: SourceLocation
}

/** A shared schema as the compiler gets it. */
export interface GivenSchema {
  readonly kind: CompileUnit['kind']
  readonly id: string
  readonly schema: unknown
  readonly options: CompileUnit['options']
}

/** A route whose functions are all known, with everything that they are compiled from. */
export interface ResolvedRoute {
  readonly digest: Digest
  /** The `schema` option as written. */
  readonly written: Readonly<Record<string, unknown>>
  /** Numbers of `ResolvedApp.settings`, of the compilers in use; 0 for none. */
  readonly validators: number
  readonly serializers: number
  /** True if header schemas go to the compiler as they are. */
  readonly keepsHeaders: boolean
  /** The parts, those of requests first, each with its unit and its schema in `written`. */
  readonly functions: readonly (Pick<BindingSite, 'httpPart' | 'httpStatus' | 'contentType'> & {
    readonly digest: Digest
    readonly schema: unknown
  })[]
}

/** A default compiler of a context. */
export interface DefaultCompiler {
  readonly kind: CompileUnit['kind']
  readonly options: CompileUnit['options']
  /** The shared schemas that it gets, whether a unit refers to them or not, in this order. */
  readonly schemas: readonly SharedSchema[]
  /** The same as it gets them, by `$id`. */
  readonly externals: CompileUnit['externals']
  /** Names of the contexts from the root to this one, joined by ` > `. */
  readonly context: string
}

/** The distinct functions to compile, and the routes that use them. Compiling them needs no contexts. */
export interface ResolvedApp {
  readonly units: ReadonlyMap<Digest, ResolvedUnit>
  readonly bindings: readonly Binding[]
  /** Routes that get other functions under other conditions, because shared schemas depend on them. */
  readonly variants: ReadonlyMap<RouteNode, readonly RouteNode[]>
  readonly external: readonly ExternalPart[]
  readonly compilers: readonly DefaultCompiler[]
  /** The options of its compilers, as `UnitFactory.settings` describes them. */
  readonly options: ReadonlySet<string>
  /** The routes with functions that leave nothing to the running application. */
  readonly routes: readonly ResolvedRoute[]
  /** Compiler settings that `ResolvedRoute` refers to by number. */
  readonly settings: SettingsTable
}
