import type { ValidatorOptions } from '../../../runtime/artifact/index.ts'

/** A schema, and values for which its emitted validator is compared with Ajv's. */
export interface ValidatorCase {
  readonly title: string
  readonly schema: unknown
  readonly externals?: Record<string, unknown>
  readonly options?: Partial<ValidatorOptions>
  readonly inputs: readonly unknown[]
}
/** A value of every type, and values that are easily mistaken for another type. */
export const scalars: readonly unknown[] = [
  '',
  'x',
  '1',
  '1.5',
  'true',
  'null',
  0,
  1,
  -1.5,
  true,
  false,
  null,
  [],
  [1],
  ['a'],
  {},
]
/** A shared schema that cases refer to. */
export const shared: Record<string, unknown> = {
  $id: 'shared',
  type: 'object',
  properties: { p: { type: 'number', maximum: 5 } },
}
