/** What `3-resolve` makes of the contexts: the functions to compile, and who uses them. */
import type { CompileUnit, Digest, HttpPart } from '../../runtime/artifact/index.ts'
import type { SettingsTable } from '../../runtime/artifact/settings.ts'
import type { RouteNode, SharedSchema } from './index.ts'
import type { SourceLocation } from './diagnostic.ts'

/** Where a schema is in use. */
export interface BindingSite {
  readonly route: RouteNode
  /** The names of the contexts from the root to the route, joined by ` > `. */
  readonly context: string
  /** For a validator. */
  readonly httpPart?: HttpPart
  /** For a serializer, as normalised: `200`, `2xx`, `default`. */
  readonly httpStatus?: string
  /** Of a response, or of a body, that has a schema for each media type. */
  readonly contentType?: string
}

/** Which function a route uses where. */
export interface Binding extends BindingSite {
  readonly digest: Digest
  readonly at: SourceLocation
  /** The place of the schema inside the route's `schema` option. */
  readonly path: readonly string[]
}

/** A schema that the application's own compiler reads; left alone. */
export type ExternalRoute = BindingSite

/** A compile unit and the first place that asks for it. */
export interface ResolvedUnit extends CompileUnit {
  /** Its `plainDigest`: units with the same one differ in annotations alone. */
  plain(): Digest | undefined
  /** The shared schemas that it may refer to: they decide about that digest, whether it does or not. */
  readonly among: Readonly<Record<string, unknown>>
  readonly at: SourceLocation
}

/** A shared schema as a compiler is given it. */
export interface GivenSchema {
  readonly kind: CompileUnit['kind']
  readonly id: string
  readonly schema: unknown
  readonly options: CompileUnit['options']
}

/** All that the functions of a route are made from. */
export interface ResolvedRoute {
  /** `textOfSlots`. */
  readonly text: string
  /** `routeDigest`. */
  readonly digest: Digest
  /** The units, request parts first. */
  readonly parts: readonly Digest[]
  /** The route's `schema` option. */
  readonly written: Readonly<Record<string, unknown>>
  /** Numbers of `ResolvedApp.settings`, of the compilers in use; 0 for none. */
  readonly validators: number
  readonly serializers: number
  /** Whether header schemas go to the compiler as they are. */
  readonly keepsHeaders: boolean
  /** What the units are for, in their order, each with its part of `written`. Only deployments ask. */
  functions(): readonly (Pick<BindingSite, 'httpPart' | 'httpStatus' | 'contentType'> & {
    readonly digest: Digest
    readonly schema: unknown
  })[]
}

/** The distinct functions to compile and who uses them. No phase after this one knows of contexts. */
export interface ResolvedApp {
  readonly units: ReadonlyMap<Digest, ResolvedUnit>
  readonly bindings: readonly Binding[]
  readonly external: readonly ExternalRoute[]
  /** The shared schemas that default compilers are given, whether a unit refers to them or not. */
  readonly shared: Readonly<Record<CompileUnit['kind'], ReadonlySet<SharedSchema>>>
  /** The routes that leave nothing to the running application, as far as they have functions at all. */
  readonly routes: readonly ResolvedRoute[]
  /** What `ResolvedRoute.text` refers to by number. */
  readonly settings: SettingsTable
}
