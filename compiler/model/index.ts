/**
 * Every type that crosses a phase border, in the order in which the data flows:
 *
 *     ResolvedOptions -> SourceGraph -> ContextTree -> ResolvedApp -> EmittedUnit[] -> Output
 *
 * Values here are plain data and are never changed by a later phase.
 */
import type { CompileUnit, Digest, HttpPart } from '../../runtime/artifact/index.ts'
import type { Line } from '../../runtime/artifact/lines.ts'
import type { Serializers } from '../target-profiles/detect.ts'
import type { Diagnostic, SourceLocation } from './diagnostic.ts'
import type {
  CompilersInUse,
  Documentation,
  FactoryOptions,
  ScannedRoute,
  SeenHook,
  SeenPlugin,
  StaticValue,
} from './scanned.ts'

export type { CompileUnit, Digest, HttpPart }
export type { CallLocation, Diagnostic, Report, SourceLocation } from './diagnostic.ts'
export type {
  EmittedUnit,
  Emission,
  Output,
  PackedUnit,
  SeparatedFunction,
  SeparatedUnit,
  SharedFunction,
} from './code.ts'
export type * from './resolved.ts'
export type * from './scanned.ts'

/** What the user asked for, with every default filled in. Paths are absolute. */
export interface ResolvedOptions {
  /** The application's entry file. */
  readonly entry: string
  /** The folder that places in reports and in the manifest are relative to. */
  readonly root: string
  /** The folder that the artifact is written to. */
  readonly out: string
  /** What cannot be known without running the application is left to it, instead of being a problem. */
  readonly allowDynamic: boolean
  /** The application is booted to ask it for what cannot be known otherwise. */
  readonly trace: boolean
  /** The application is booted to compare what it declares with what was found. */
  readonly verify: boolean
  /** It is a problem that a package generates code when the application runs. */
  readonly strictEval: boolean
  /** How long booting may take, in ms. */
  readonly bootTimeout: number
  /** What the functions are for. */
  readonly line: Line
  /** Whom the serializers among them answer as. */
  readonly serializers: Serializers
}

/** A schema given to `addSchema`. */
export interface SharedSchema {
  readonly id: string
  readonly schema: StaticValue<Record<string, unknown>>
  /** Where `addSchema` is called. */
  readonly at: SourceLocation
}

/** What the build could not find out about a part of a route. */
export interface DynamicPart {
  /** As the manifest names it: `body`, `200`, `response` for all responses, `schema` for all of the option. */
  readonly part: string
  readonly problem: Diagnostic
}

/** A shared schema that could not be found out. */
export interface UnknownSchema {
  /** `undefined` when not even its `$id` is known. */
  readonly id: string | undefined
  /** Where `addSchema` is called. */
  readonly at: SourceLocation
  readonly problem: Diagnostic
}

export interface RouteNode {
  /** Upper case; several for a method array or `all`. */
  readonly methods: readonly string[]
  /** The full URL, prefixes included. */
  readonly url: string
  readonly at: SourceLocation
  /** The route's `schema` option as written, not normalised; `undefined` when it has none. */
  readonly schema: StaticValue<Record<string, unknown>> | undefined
  /** What is left out of `schema` because it is not known. */
  readonly dynamic: readonly DynamicPart[]
  /** What is left out of `schema` because only the application's own compiler can read it: `body`, `200`. */
  readonly opaque: readonly string[]
  /** Whether a condition that only the running application knows decides about it. */
  readonly isConditional: boolean
  /** As far as the source tells. */
  readonly hooks?: readonly SeenHook[]
  readonly isDocumented?: boolean
  /** Those that are known. */
  readonly constraints?: ScannedRoute['constraints']
  /** What the route itself says; `undefined` when it leaves the choice to its context. */
  readonly validatorCompiler: 'own' | undefined
  readonly serializerCompiler: 'own' | undefined
  /** Whether GET is to get a HEAD twin: the route option, else the factory option. */
  readonly exposeHeadRoute: boolean
  /** The URL of the one that it gets: none where another route answers HEAD already. */
  readonly twinUrl: string | undefined
  /** HEAD twins to which hooks have given other schemas than to the route itself; one for each that it may be. */
  readonly twins?: readonly RouteNode[]
}

/** One encapsulation context. What wrapped plugins register stands in the context that they register into. */
export interface ContextNode {
  /** The plugin's name as the report prints it; `root` for the root. */
  readonly name: string
  /** The full prefix; `''` or `/v1`. */
  readonly prefix: string
  /** Whether all of it is known; what is not is left out of it. */
  readonly isPrefixKnown: boolean
  /** Where it is registered; for the root, where the instance is created. */
  readonly at: SourceLocation
  /** Added in this very context, in order. Descendants see them, whenever they are added. */
  readonly schemas: readonly SharedSchema[]
  /** Added in this very context too, but not known. */
  readonly unknownSchemas: readonly UnknownSchema[]
  readonly routes: readonly RouteNode[]
  readonly children: readonly ContextNode[]
  /** As far as the source tells. */
  readonly hooks?: readonly SeenHook[]
  readonly plugins?: readonly SeenPlugin[]
  readonly documentation?: Documentation | undefined
  /** `setValidatorCompiler` / `setSerializerCompiler` called in this context; else `undefined`. */
  readonly validatorCompiler: 'own' | undefined
  readonly serializerCompiler: 'own' | undefined
  /** What comes of such calls, where their order is known. */
  readonly compilers?: CompilersInUse | undefined
  /** Whether a condition that only the running application knows decides about it. */
  readonly isConditional: boolean
}

/** The application as its encapsulation contexts. */
export interface ContextTree {
  readonly options: FactoryOptions
  readonly root: ContextNode
}
