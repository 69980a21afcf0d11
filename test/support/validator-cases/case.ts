import type { ValidatorOptions } from '../../../runtime/artifact/index.ts'

/** A schema, and values to hold its emitted validator to the one in process. */
export interface ValidatorCase {
  readonly title: string
  readonly schema: unknown
  readonly externals?: Record<string, unknown>
  readonly options?: Partial<ValidatorOptions>
  readonly inputs: readonly unknown[]
}
