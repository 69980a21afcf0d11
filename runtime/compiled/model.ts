/** The interface between an instance and its default compilers. */
import type {
  Artifact,
  CompiledFunction,
  Digest,
  RouteTarget,
  SerializerOptions,
  TakeOption,
  ValidatorOptions,
} from '../artifact/index.ts'
import type { RouteSchema } from '../artifact/normalize.ts'
import type { UnitFactory } from '../artifact/units.ts'
import type { Place } from '../errors/caller-place.ts'
import type { CompileTarget } from './faults.ts'

/** A default validator or serializer compiler. */
export interface DefaultCompiler {
  (target: CompileTarget): CompiledFunction
  /**
   * Finds the target's function without loading it. Throws if no artifact contains it. Missing in development.
   *
   * @param place where the route is declared, if known
   */
  find?(target: CompileTarget, place?: Place): FoundFunction
  /** `null` if finding a function takes more than its digest. */
  readonly units?: UnitFactory | null
}

export interface FoundFunction {
  readonly artifact: Artifact
  readonly digest: Digest
  readonly take: TakeOption
}

export interface DefaultCompilers {
  /** True if an artifact knows where routes are declared. Otherwise, routes read their place from a stack. */
  readonly knowPlaces: boolean
  /**
   * Finds the functions for a route's current schema. Later changes of the schema object have no effect, unless it stops being plain data before the first request, which is an error.
   *
   * @param isCustom true if the application sets a validator compiler, which gets header schemas unchanged
   * @param findEach finds them one by one. Called if there is no quicker way
   */
  bind(
    schema: RouteSchema,
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
    findEach: FindFunctions,
  ): LoadFunctions
  /**
   * Prepares compiling. Call it before the first `build*`.
   *
   * @throws FST_ERR_AOT_*
   */
  open(): void
  /** Lets a type of a schema library parse with the parser that the build has compiled. Does nothing for other schemas. */
  attachParser(schema: unknown): void
  buildValidator(externals: Record<string, unknown>, options: ValidatorOptions): DefaultCompiler
  buildSerializer(
    externals: Record<string, unknown>,
    options: SerializerOptions | undefined,
  ): DefaultCompiler
}

/** A function of a route that was found. */
export interface BoundFunction extends FoundFunction {
  readonly target: RouteTarget
}

export type FindFunctions = () => readonly BoundFunction[]

export interface LoadedFunction {
  readonly target: RouteTarget
  readonly compiled: CompiledFunction
}

/**
 * Loads the functions of a route, for its first request.
 *
 * @throws FST_ERR_AOT_*, to be sent
 */
export type LoadFunctions = () => readonly LoadedFunction[]

/** Undefined for parts without a schema, or with a compiler of the application's own. */
export type DefaultCompilerInUse = Pick<DefaultCompiler, 'units'> | undefined
