import type { MemoryValue } from './values/memory-value.ts'

/** What an emitter of one kind makes of a unit; the statements want a scope of their own. */
export interface EmittedCode {
  /** The variable that holds the finished function. */
  readonly name: string
  readonly code: string
  /** Names taken from `framework/internal`. */
  readonly imports: ReadonlySet<string>
  readonly memoryValues: readonly MemoryValue[]
}
