import type { GivenSchema } from '../../model/index.ts'
import type { AddedValue, MadeFunction } from './recording-ajv.ts'

/** The code of one unit: statements that need a scope of their own. */
export interface EmittedCode {
  /** The variable with the finished function. */
  readonly name: string
  readonly code: string
  /** Imports from `framework/internal`. */
  readonly imports: ReadonlySet<string>
  readonly memoryValues: readonly MemoryValue[]
}

/** Compiles either validators or serializers. */
export interface KindEmitter<Options> {
  emit(schema: unknown, externals: Readonly<Record<string, unknown>>, options: Options): EmittedCode
  /** Throws the compiler's error if it refuses the shared schema. */
  check(shared: GivenSchema): void
}

/** A value that generated code refers to by name and that exists only in memory: a format, a function of a keyword. */
export interface MemoryValue {
  readonly local: string
  readonly value: unknown
  /** The name in messages. */
  readonly title: string
  /** How `compile` of a keyword made the function. */
  readonly made?: MadeFunction | undefined
  /** Where a plugin added the value. */
  readonly added?: AddedValue | undefined
  /** It may be a function whose `this` is the Ajv. */
  readonly isCalledOnAjv: boolean
}
