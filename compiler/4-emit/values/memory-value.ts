import type { AddedValue, MadeFunction } from './recording-ajv.ts'

/** A value that exists in memory only; the code takes it from outside under this name. */
export interface MemoryValue {
  readonly local: string
  readonly value: unknown
  /** How a message speaks of it. */
  readonly title: string
  /** For the function that a keyword's `compile` made. */
  readonly made?: MadeFunction | undefined
  /** For what a plugin added. */
  readonly added?: AddedValue | undefined
  /** Whether it may be a function whose `this` is the Ajv. */
  readonly isCalledOnAjv: boolean
}
