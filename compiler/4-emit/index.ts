/**
 * Phase 4: compiles units to statements that need no compiler and evaluate no string.
 *
 * - `validator/` has Ajv write the code, one layer below `ajv/dist/standalone`, which loses formats and keywords that are functions
 *   and copies shared schemas. `link.ts` replaces references to values in memory. References to object schemas become calls of
 *   functions that take the value alone and return its errors or `null` (`direct-refs.ts`, `text/parameters.ts`).
 * - `serializer/` has fast-json-stringify 7 write the code. For Fastify 4 it answers as version 5 does (`versions.ts`), which
 *   test/fuzz compares with the real one. Ajv compiles the branches of unions.
 * - `values/` finds the values that code refers to: those of known packages by identity, those of the application by their origin.
 * - `replay/` records what functions of the application do during the compilation, so that the runtime notices edited ones.
 * - `text/` shortens code: long-winded stretches become calls of functions in `runtime/generated/`.
 * - `shared-functions.ts` takes out functions that other units may contain too, and names them after their content.
 */
import type {
  CompileUnit,
  SerializerOptions,
  ValidatorOptions,
} from '../../runtime/artifact/index.ts'
import { profileOf, type TargetProfile } from '../servers/index.ts'
import type { EmittedUnit, GivenSchema, ImportRef } from '../model/index.ts'
import { EmitError, orEmitError } from './errors.ts'
import type { MemoryValue } from './values/emitted-code.ts'
import type { ReplayCheck } from '../../runtime/artifact/replay/index.ts'
import { createRecorder, type Recorder, type Unchecked } from './replay/index.ts'
import { createSerializerEmitter } from './serializer/index.ts'
import { createUserValues } from './values/user-values.ts'
import { createValidatorEmitter, type Logger } from './validator/index.ts'

export { EmitError }
export { extractSharedFunctions } from './shared-functions.ts'
export type { MemoryValue, Logger, Unchecked }

export interface EmitterOptions {
  /**
   * Receives Ajv's warnings (strict types, ignored formats), unless the application's options contain a logger. By default they are
   * dropped.
   */
  readonly logger?: Logger | undefined
  /** Origins of values in the factory options. Code imports these values. */
  readonly origins?: ReadonlyMap<unknown, ImportRef> | undefined
  /** By default, that of the runtime of this package. */
  readonly profile?: Pick<TargetProfile, 'validators' | 'serializers'> | undefined
}

/** An emitted unit whose code takes values of this process as arguments. */
export interface InProcessUnit extends EmittedUnit {
  readonly memoryValues: readonly MemoryValue[]
}

export interface Emitter {
  /** Throws an EmitError if the unit can't be compiled, or not ahead of time. */
  emit(unit: CompileUnit): EmittedUnit
  /** Emits a unit for the process that contains the application's functions. */
  emitInProcess(unit: CompileUnit): InProcessUnit
  /** Checks of the functions in these options, whatever is compiled with them. */
  checksOf(options: ValidatorOptions): readonly ReplayCheck[]
  /** Functions in these options that can't be checked, of those that have run so far. */
  unchecked(options: ValidatorOptions): readonly Unchecked[]
  checkShared(shared: GivenSchema): void
}

/** Reuses instances of Ajv, which take long to create. The result doesn't depend on earlier units. */
export function createEmitter({
  logger,
  origins = new Map(),
  profile = profileOf('framework'),
}: EmitterOptions = {}): Emitter {
  const validators = createValidatorEmitter(logger, profile.validators)
  const serializers = createSerializerEmitter(logger, profile.serializers)
  const defineValues = createUserValues(origins)
  const recorders = new WeakMap<object, Recorder>()
  return { emit, emitInProcess, checkShared, checksOf, unchecked }

  function recorderOf(options: ValidatorOptions): Recorder {
    let recorder = recorders.get(options)
    if (recorder === undefined)
      recorders.set(options, (recorder = createRecorder(options, profile.validators)))
    return recorder
  }

  function checksOf(options: ValidatorOptions): readonly ReplayCheck[] {
    return origins.size > 0 ? recorderOf(options).general : []
  }

  function unchecked(options: ValidatorOptions): readonly Unchecked[] {
    return [...(recorders.get(options)?.unchecked.values() ?? [])]
  }

  function emit(unit: CompileUnit): EmittedUnit {
    const { memoryValues, ...plain } = emitInProcess(unit)
    const { kind, schema, externals, options } = unit
    const replayChecks =
      kind === 'validator' && origins.size > 0
        ? recorderOf(options as ValidatorOptions).checksOf(schema, externals)
        : []
    const emitted = {
      ...plain,
      ...(replayChecks === undefined && { isUnchecked: true as const }),
      ...(replayChecks && replayChecks.length > 0 && { replayChecks }),
    }
    if (memoryValues.length === 0) return emitted
    const { code, imports, userImports } = orEmitError(() => defineValues(memoryValues))
    return {
      ...emitted,
      imports: [...new Set([...emitted.imports, ...imports])].sort(),
      userImports,
      code: `${code}\n${emitted.code}`,
    }
  }

  function checkShared(shared: GivenSchema): void {
    const { check } = shared.kind === 'validator' ? validators : serializers
    orEmitError(() => check(shared))
  }

  function emitInProcess(unit: CompileUnit): InProcessUnit {
    const { digest, schema, externals, options } = unit
    const { imports, ...code } = orEmitError(() =>
      unit.kind === 'validator'
        ? validators.emit(schema, externals, options as ValidatorOptions)
        : serializers.emit(schema, externals, options as SerializerOptions),
    )
    return { digest, imports: [...imports].sort(), userImports: [], ...code }
  }
}
