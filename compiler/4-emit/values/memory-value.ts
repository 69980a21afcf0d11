import type { AddedValue, MadeFunction } from './recording-ajv.ts'

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
