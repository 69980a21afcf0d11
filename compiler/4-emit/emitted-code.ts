import type { MemoryValue } from './values/memory-value.ts'

/** The code of one unit: statements that need a scope of their own. */
export interface EmittedCode {
  /** The variable with the finished function. */
  readonly name: string
  readonly code: string
  /** Imports from `framework/internal`. */
  readonly imports: ReadonlySet<string>
  readonly memoryValues: readonly MemoryValue[]
}
