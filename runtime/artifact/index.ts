/**
 * The contract between `framework build`, which writes artifacts, and the runtime, which loads them.
 *
 * Its folder imports only `platform/`. Both sides call the same functions of it, so they can't disagree about the
 * meaning of a schema or its digest.
 */
import type { RouteSchema, SchemaReading } from './normalize.ts'
import type { LineName } from './lines.ts'
import type { UnitFactory } from './units.ts'
import type { ZodType } from './zod-digest.ts'

/** Fastify's term for a request part with a schema. */
export type HttpPart = 'body' | 'headers' | 'params' | 'querystring'

/** Identifies a compiled function by everything that it was made from: 22 characters of base64url. */
export type Digest = string

/** A distinct function to compile. */
export interface CompileUnit {
  readonly kind: 'validator' | 'serializer'
  readonly digest: Digest
  /** Normalized. Compilers never change it. */
  readonly schema: unknown
  /** The shared schemas that it can reach, by `$id`. */
  readonly externals: Readonly<Record<string, unknown>>
  /** The factory option `ajv` for a validator, `serializerOpts` for a serializer. May contain functions. */
  readonly options: ValidatorOptions | SerializerOptions
}

/** The complete factory option `ajv`. */
export interface ValidatorOptions {
  readonly customOptions: Readonly<Record<string, unknown>>
  /** `plugin` or `[plugin, options]`. */
  readonly plugins: readonly unknown[]
  /** `2019` and `2020` for these drafts, `JTD` for JSON Type Definition, anything else for draft-07. */
  readonly mode?: unknown
  /** Called with each new Ajv instance, after the plugins. */
  readonly onCreate?: unknown
  /** Overrides of `customOptions` per request part. */
  readonly parts?: Readonly<Partial<Record<HttpPart, Readonly<Record<string, unknown>>>>>
}

/** Path of a value in `ValidatorOptions`. For a plugin, it is the same with and without options. */
export type OptionPath = readonly (string | number)[]

/** Takes functions from the options of the running instance. */
export type TakeOption = (option: OptionPath) => unknown

/** The factory option `serializerOpts`. */
export type SerializerOptions = Readonly<Record<string, unknown>>

/** A validation error, exactly as Ajv 8 creates it. */
export interface ValidatorError {
  keyword: string
  instancePath: string
  schemaPath: string
  params: Record<string, unknown>
  message?: string
  [more: string]: unknown
}

/** A compiled validator. Changes `data` in place as Ajv does: coercion, defaults, removal. */
export interface CompiledValidator {
  (this: unknown, data: unknown, ...rest: unknown[]): boolean | Promise<unknown>
  /** Errors of the last call; `null` after a success and before the first call. */
  errors?: ValidatorError[] | null
}

/** A compiled serializer. Returns JSON text, and throws where fast-json-stringify throws. */
export type CompiledSerializer = (data: unknown) => string

export type CompiledFunction = CompiledValidator | CompiledSerializer

/** How a route's schemas are compiled. Neighbouring routes share the object. */
export interface RouteBinding {
  readonly factories: RouteFactories
  /** True if header schemas keep header names as written, because a validator compiler was set. */
  readonly isCustom: boolean
  readonly reading: SchemaReading
}

/** Unit factories of the kinds of schemas that the artifact has functions for. */
export interface RouteFactories {
  readonly validators: UnitFactory | undefined
  readonly serializers: UnitFactory | undefined
}

/** The part of a route that a function is for. */
export interface RouteTarget {
  readonly httpPart?: HttpPart
  /** In lower case. */
  readonly httpStatus?: string
  readonly contentType?: string
}

/** A route's function in the artifact. */
export interface RouteFunction {
  readonly target: RouteTarget
  /** The schema that was looked up. `null` in a deployment, whose schemas are exactly those of the build. */
  readonly schema: unknown
  readonly digest: Digest
}

/** Returns a route's functions: those of request parts, then those of responses. */
export type ReadFunctions = () => readonly RouteFunction[]

/** Finds the functions for a route's normalized schema if all are in the artifact. Other routes are looked up schema by schema. */
export type FindRoute = (schema: RouteSchema, binding: RouteBinding) => ReadFunctions | undefined

/** Modules of schema libraries, by name of the library. Parsers of types call their functions. */
export type Libraries = Readonly<Record<string, object>>

export type AttachParser = (type: ZodType, artifacts: readonly Artifact[]) => void

/** A built application, as the runtime sees it. */
export interface Artifact {
  /** Version of the artifact format. */
  readonly format: number
  /** Version of `framework` that wrote it. */
  readonly version: string
  /** The line that its functions answer like. */
  readonly line: LineName
  /** Modules of schema libraries by name, if it contains parsers of their types. */
  readonly libraries?: Libraries | undefined
  /** Returns whether it contains a function. Loads nothing. */
  has(digest: Digest): boolean
  /** Returns the digest at a position, in the order of the build. */
  digestAt(position: number): Digest
  /** Returns the digest for an untouched lazy schema, without loading anything. Only in deployments. */
  ofLazySchema?(part: object, units: UnitFactory, httpPart: string | undefined): Digest | undefined
  readonly findRoute: FindRoute
  /**
   * Returns the function, loading it on the first call. A function that calls the application's own functions
   * differs per `take`.
   *
   * @throws DamagedArtifactError if its file differs from what the build wrote
   */
  load(digest: Digest, take: TakeOption): CompiledFunction
  /**
   * Reads the catalogue, in which functions and routes are looked up.
   *
   * @throws DamagedArtifactError if it is missing, truncated or edited
   */
  open(): void
  /**
   * Verifies the files that `open` hasn't read.
   *
   * @throws DamagedArtifactError if one is missing, truncated or edited
   */
  verify(): void
  /**
   * Names the first function of the options that does something else than during the build.
   *
   * @param options as `UnitFactory.settings` describes them
   */
  changeOf(options: string, take: TakeOption): string | undefined
  /** Lets a type of a schema library parse with what these artifacts contain. Undefined if this one contains no parsers. */
  readonly attachParser?: AttachParser | undefined
  /** Returns where a route is declared, as `file:line:column`; undefined if the build doesn't know it. */
  locate(method: string, url: string): string | undefined
  /** Returns why the build left out one of `parts`, as `file:line:column: …`. */
  leftOut(method: string, url: string, parts: readonly string[]): string | undefined
  /** Returns the build's origin; undefined without a manifest. */
  origin(): Origin | undefined
  /** Returns why it lacks a function; undefined without a manifest. @throws DamagedArtifactError */
  whyMissing(units: UnitFactory, target: MissingTarget): Missing | undefined
  /** Names a compiled file that is older than its source, if there is one. @throws DamagedArtifactError */
  outdated(): string | undefined
}

/** The part of a route that a function is for. */
export interface MissingTarget {
  readonly schema?: unknown
  readonly method?: string | readonly string[] | undefined
  readonly url?: string | undefined
  readonly httpPart?: string | null | undefined
  readonly httpStatus?: string | null | undefined
  readonly contentType?: string | null | undefined
}

export interface Missing {
  readonly reason: string
  /** The file to build instead of the artifact's entry. */
  readonly entry?: string
  /** An option that the build needs. */
  readonly option?: string
  /** True if another build of the artifact doesn't help. */
  readonly isElsewhere?: boolean
  /** True if the build knows the route. */
  readonly isKnown?: boolean
}

/** The origin of an artifact. */
export interface Origin {
  /** Absolute path of the artifact's folder. */
  readonly folder: string
  /** Relative to the package. */
  readonly entry: string
  /** Compiled files of other packages, with the sources that the build has read. Relative to the package. */
  readonly compiled?: Readonly<Record<string, string>>
  /** True if the entry listens, so that it is the program of the process. */
  readonly startsItself: boolean
  /** The options that schemas were compiled with, as `UnitFactory.settings` describes them. */
  readonly settings: readonly string[]
  readonly options: { readonly allowDynamic: boolean; readonly trace: boolean }
  /** Digests of the application's files, by paths relative to the package. */
  readonly sources?: Readonly<Record<string, Digest>>
  /** Returns the routes of a method and URL: several if they differ in constraints or are declared under a condition. */
  routesOf(method: string, url: string | undefined): readonly RecordedRoute[]
  /** Returns the shared schemas with an `$id`, one per context that adds one. */
  shared(id: string): readonly SharedSchema[]
}

/** A route at the time of the build. */
export interface RecordedRoute {
  /** Where it is declared, as `file:line:column`. */
  readonly at: string
  /** Returns the schema of a request part or of a status as written; undefined if the build read none. */
  schemas(httpPart: string, httpStatus: string): unknown
}

/** A shared schema at the time of the build. */
export interface SharedSchema {
  readonly schema: unknown
  /** Where it is added, as `file:line:column`. */
  readonly at: string
}
