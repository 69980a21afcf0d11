/** The values that a random schema is tested with, and their outcomes. */
import { inspect } from 'node:util'
import type { CompileUnit } from '../../runtime/artifact/index.ts'
import type { Outcome } from '../support/outcome.ts'
import type { Externals } from '../support/random-schemas.ts'
import { asApplicationValue, createRandom, valueFor } from '../support/random-values.ts'

/** Number of values for each schema; each is one case. */
export const VALUES = 8

export interface Sample {
  readonly kind: CompileUnit['kind']
  readonly schema: Record<string, unknown>
  readonly externals: Externals
  readonly valueSeed: number
}

/** The values of a sample; the same in every process. */
export function inputsOf({ kind, schema, externals, valueSeed }: Sample): unknown[] {
  const random = createRandom(valueSeed)
  return Array.from({ length: VALUES }, () => {
    const value = valueFor(schema, random, schema, externals)
    return kind === 'validator' ? value : asApplicationValue(value, random)
  })
}

/** Everything about an outcome, the order of keys included. */
export function textOf(outcome: Outcome): string {
  return inspect(outcome, {
    depth: null,
    maxArrayLength: null,
    maxStringLength: null,
    breakLength: Number.POSITIVE_INFINITY,
    compact: true,
  })
}
