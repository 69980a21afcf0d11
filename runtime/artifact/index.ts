/**
 * The contract between what `framework build` writes and what the runtime loads.
 *
 * It imports nothing but its own folder, and both sides use the very same functions of it, so that
 * they cannot disagree about what a schema means or what its digest is.
 */
import type { LazySchema } from './lazy-schemas/index.ts'
import type { RouteSchema } from './normalize.ts'
import type { ReplayChecks } from './replay.ts'
import type { RouteFactories, RouteTarget } from './route-slots.ts'
import type { UnitFactory } from './units.ts'

/** Fastify's word for a request part that has a schema. */
export type HttpPart = 'body' | 'headers' | 'params' | 'querystring'

/** Identifies a compiled function by all that it was made from: 22 characters of base64url. */
export type Digest = string

/** One distinct function to compile. */
export interface CompileUnit {
  readonly kind: 'validator' | 'serializer'
  readonly digest: Digest
  /** Normalised; never changed by whoever compiles it. */
  readonly schema: unknown
  /** The shared schemas that it can reach, by `$id`. */
  readonly externals: Readonly<Record<string, unknown>>
  /** `ajv` of the factory options for a validator, `serializerOpts` for a serializer; live values. */
  readonly options: ValidatorOptions | SerializerOptions
}

/** Fastify's `ajv` factory option, complete. */
export interface ValidatorOptions {
  readonly customOptions: Readonly<Record<string, unknown>>
  /** `plugin` or `[plugin, options]`. */
  readonly plugins: readonly unknown[]
  /** `2019` and `2020` for these drafts, `JTD` for JSON Type Definition; draft-07 for anything else. */
  readonly mode?: unknown
  /** Called with each new instance of Ajv, after the plugins. */
  readonly onCreate?: unknown
  /** What request parts have instead of some of `customOptions`. */
  readonly parts?: Readonly<Partial<Record<HttpPart, Readonly<Record<string, unknown>>>>>
}

/** The way to a value in `ValidatorOptions`; to that of a plugin it is the same with options and without. */
export type OptionPath = readonly (string | number)[]

/** Takes functions of the application out of the options of its running instance. */
export type TakeOption = (option: OptionPath) => unknown

/** Fastify's `serializerOpts` factory option. */
export type SerializerOptions = Readonly<Record<string, unknown>>

/** One error of a validator, exactly as Ajv 8 makes it. */
export interface ValidatorError {
  keyword: string
  instancePath: string
  schemaPath: string
  params: Record<string, unknown>
  message?: string
  [more: string]: unknown
}

/** A compiled validator: changes `data` in place as Ajv does (coercion, defaults, removal). */
export interface CompiledValidator {
  (this: unknown, data: unknown, ...rest: unknown[]): boolean | Promise<unknown>
  /** The errors of the last call; `null` after a success and before the first call. */
  errors?: ValidatorError[] | null
}

/** A compiled serializer: data in, JSON text out; throws where fast-json-stringify throws. */
export type CompiledSerializer = (data: unknown) => string

export type CompiledFunction = CompiledValidator | CompiledSerializer

/** A route that is checked. */
export interface RouteToCheck {
  /** Normalised. */
  readonly schema: RouteSchema
  /** The schema as a lazy schema, if it's untouched and only code of the runtime has run since that was checked. */
  readonly lazySchema: LazySchema | undefined
  readonly binding: RouteBinding
  /**
   * Called when all of its functions were compiled: `lines` knows them, from what the schema is now.
   *
   * @param start of the line that they stand in, or that stands `nth` lines before
   * @param slots what `addSlots` has written of the route, from `at` on
   */
  found(lines: RouteLines, start: number, nth: number, slots: readonly unknown[], at: number): void
  /** Called when its schemas are to be looked at one by one. */
  checkEach(): void
}

/** How the schemas of a route are compiled; a single object for neighbours that have it in common. */
export interface RouteBinding {
  readonly factories: RouteFactories
  /** Whether header schemas go to the compiler as they are. */
  readonly isCustom: boolean
}

/** Tells which functions a route has that was found. */
export interface RouteLines {
  /**
   * Of its request parts, then of its responses. The parameters are what `found` was called with; of schemas that need no
   * look the schema is `null`.
   */
  functionsOf(
    start: number,
    nth: number,
    slots: readonly unknown[],
    at: number,
  ): readonly RouteFunction[]
}

/** A function of a route that was found. */
export interface RouteFunction {
  readonly target: RouteTarget
  /** As it was looked up. */
  readonly schema: unknown
  readonly digest: Digest
}

/** Tells of routes as a whole that all of their functions were compiled; any other is looked at schema by schema. */
export interface RouteCheck {
  /** Calls `found` or `checkEach` of the route: at once or later, but before those of the next one. */
  add(route: RouteToCheck): void
  /** Calls `checkEach` of the route, after those before it. */
  addEach(route: RouteToCheck): void
  /** Calls what is left to be called. */
  settle(): void
}

/** What the runtime holds of a built application. */
export interface Artifact {
  /** The version of this contract. */
  readonly format: number
  /** The version of `framework` that wrote it. */
  readonly version: string
  /** Whether a function with that digest was compiled; loads nothing. */
  has(digest: Digest): boolean
  /** The function of a schema with that `plainDigest`: one that differs in annotations alone. Loads nothing. */
  ofPlain(digest: Digest): Digest | undefined
  /** The digest of the function at a position, in the order of the build. */
  digestAt(position: number): Digest
  /** Returns the digest for an untouched lazy schema, without loading anything. Only in deployments. */
  ofLazySchema?(part: object, units: UnitFactory, httpPart: string | undefined): Digest | undefined
  readonly routes: RouteCheck
  /**
   * The function, loaded on the first call; one that calls functions of the application is another for each `take`.
   * Throws a DamagedArtifactError when its file is not what the build wrote.
   */
  load(digest: Digest, take: TakeOption): CompiledFunction
  /** Reads what routes are checked with. Throws a DamagedArtifactError when that is missing, truncated or edited. */
  open(): void
  /** Throws a DamagedArtifactError when a file that `open` has not read is missing, truncated or edited. */
  verify(): void
  /** What functions of the application have to do when it gets ready; `undefined` when there are none. */
  replayChecks(): ReplayChecks | undefined
  /** Where `method url` is declared, as `file:line:column`; `undefined` when the build did not see it. */
  locate(method: string, url: string): string | undefined
  /** Whether the build left one of `parts` of `method url` to the running application, and why: `file:line:column: …`. */
  leftOut(method: string, url: string, parts: readonly string[]): string | undefined
  /** What it was built from; `undefined` where no manifest tells. */
  origin(): Origin | undefined
  /** The shared schemas that were called so, one for each context that adds one; `undefined` where no manifest tells. */
  shared(id: string): readonly SharedSchema[] | undefined
}

/** The build that has made an artifact. */
export interface Origin {
  /** The folder of the artifact. Absolute. */
  readonly folder: string
  /** Relative to the package. */
  readonly entry: string
  readonly options: { readonly allowDynamic: boolean; readonly trace: boolean }
}

/** A shared schema as it was when the artifact was built. */
export interface SharedSchema {
  readonly schema: unknown
  /** Where it is added, as `file:line:column`. */
  readonly at: string
}
