/**
 * Phase 4: compile units to statements that need no compiler and evaluate no string.
 *
 * - `validator/` lets Ajv write the code one layer below `ajv/dist/standalone`, which loses formats and keywords that are
 *   functions, and copies what is shared. `link.ts` replaces what lived in memory. Where it shows in nothing, neither in
 *   errors nor in what coercion and defaults write, an object that is referred to is called instead of copied
 *   (`direct-refs.ts`); such a function takes the value alone and gives its errors or `null` (`text/parameters.ts`). The engine
 *   reads a function when Ajv calls it, which is for schemas of schemas only (`deferred.ts`).
 * - `serializer/` lets fast-json-stringify 7 write the code, where the line wants it made to answer as version 5 does
 *   (`version-5.ts`); test/fuzz compares it with the real one. Of unions Ajv compiles the branches, and what is around them
 *   only if it might be refused (`surely-compiles.ts`).
 * - `values/` knows the values that code refers to: those of packages by what they are, the user's by where they come from.
 * - `replay/` records what functions of the application do meanwhile, so that edited ones are noticed.
 * - `text/` rewrites: what is written out at length becomes a call of `runtime/generated/`, what is asked twice is asked once.
 * - `shared-functions.ts` takes out of a unit what others have too, under a name after its content.
 */
import type {
  CompileUnit,
  SerializerOptions,
  ValidatorOptions,
} from '../../runtime/artifact/index.ts'
import type { TargetProfile } from '../target-profiles/index.ts'
import { profileOf } from '../target-profiles/index.ts'
import type { EmittedUnit, GivenSchema, ImportRef } from '../model/index.ts'
import { EmitError, toEmitError } from './errors.ts'
import type { MemoryValue } from './values/memory-value.ts'
import type { ReplayCheck } from '../../runtime/artifact/replay.ts'
import { createRecorder, type Recorder, type Unchecked } from './replay/index.ts'
import { createSerializerEmitter } from './serializer/index.ts'
import { createUserValues } from './values/user-values.ts'
import { countNamesOnce } from './validator/count-names.ts'
import { createValidatorEmitter, type Logger } from './validator/index.ts'

export { EmitError }
export { extractSharedFunctions } from './shared-functions.ts'
export type { MemoryValue, Logger, Unchecked }

export interface EmitterOptions {
  /**
   * Where Ajv's warnings go (strict types, unknown formats that are ignored), unless the application's own
   * options name a logger. Nowhere by default.
   */
  readonly logger?: Logger | undefined
  /** Where values of the factory options come from: what is in them becomes an import of the code. */
  readonly origins?: ReadonlyMap<unknown, ImportRef> | undefined
  /** What the functions are for; the runtime of this package by default. */
  readonly line?: Pick<TargetProfile, 'validators' | 'serializers'> | undefined
}

/** An emitted unit whose code may take values that exist in this process only. */
export interface InProcessUnit extends EmittedUnit {
  readonly memoryValues: readonly MemoryValue[]
}

export interface Emitter {
  /** Throws an EmitError when the unit cannot be compiled, or not ahead of time. */
  emit(unit: CompileUnit): EmittedUnit
  /** As `emit`, for a process that holds the user's functions: the code takes them as arguments. */
  emitInProcess(unit: CompileUnit): InProcessUnit
  /** Checks of the functions in these options, whatever is compiled with them. */
  checksOf(options: ValidatorOptions): readonly ReplayCheck[]
  /** Functions in these options that can't be checked, of those that have run so far. */
  unchecked(options: ValidatorOptions): readonly Unchecked[]
  /** Throws an EmitError when a compiler would not take the shared schema. */
  checkShared(shared: GivenSchema): void
}

/** Keeps instances of Ajv, which are costly to make; what it emits depends on the unit alone. */
export function createEmitter({
  logger,
  origins = new Map(),
  line = profileOf('framework'),
}: EmitterOptions = {}): Emitter {
  countNamesOnce()
  const validators = createValidatorEmitter(logger, line.validators)
  const serializers = createSerializerEmitter(logger, line.serializers)
  const settle = createUserValues(origins)
  const recorders = new WeakMap<object, Recorder>()
  return { emit, emitInProcess, checkShared, checksOf, unchecked }

  function recorderOf(options: ValidatorOptions): Recorder {
    let known = recorders.get(options)
    if (known === undefined)
      recorders.set(options, (known = createRecorder(options, line.validators)))
    return known
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
    const { code, imports, userImports } = settle(memoryValues)
    return {
      ...emitted,
      imports: [...new Set([...emitted.imports, ...imports])].sort(),
      userImports,
      code: `${code}\n${emitted.code}`,
    }
  }

  function checkShared({ kind, id, schema, options }: GivenSchema): void {
    try {
      if (kind === 'validator') validators.check(schema, options as ValidatorOptions)
      else serializers.check(id, schema)
    } catch (error) {
      throw toEmitError(error)
    }
  }

  function emitInProcess(unit: CompileUnit): InProcessUnit {
    const { digest, schema, externals, options } = unit
    try {
      const { imports, ...code } =
        unit.kind === 'validator'
          ? validators.emit(schema, externals, options as ValidatorOptions)
          : serializers.emit(schema, externals, options as SerializerOptions)
      return { digest, imports: [...imports].sort(), userImports: [], ...code }
    } catch (error) {
      throw toEmitError(error)
    }
  }
}
