/** What `ajv/dist/standalone` loses of what Ajv compiles in process, each with a value that shows it. */
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import type { CompiledValidator, ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { createOracle, createStandalone } from '../../support/compile-oracle.ts'
import { formats, keywords } from '../../support/user-functions.ts'
import { origins } from '../profiles.ts'
import { run, textOf } from '../values.ts'
import { compareStandalone } from './compare.ts'

interface Case {
  readonly what: string
  readonly schema: Record<string, unknown>
  readonly customOptions?: ValidatorOptions['customOptions']
  readonly value: unknown
}

export interface Shown {
  readonly what: string
  /** What comes of the value with the function that Ajv compiles in process. */
  readonly expected: string
  /** What comes of it with the module, or why there is none. */
  readonly standalone: string
  readonly emitted: string
}

const cases: readonly Case[] = [
  {
    what: 'a format that is a function of the application',
    schema: { type: 'string', format: 'even' },
    customOptions: { formats },
    value: 'abc',
  },
  {
    what: 'a keyword with a function `validate`',
    schema: { type: 'number', divisible: 2 },
    customOptions: { keywords },
    value: 3,
  },
  {
    what: 'a keyword with a function `compile`',
    schema: { type: 'number', between: [1, 2] },
    customOptions: { keywords },
    value: 3,
  },
  { what: '`-0` in an error', schema: { enum: [-0] }, value: 1 },
  {
    what: 'a member `__proto__` of a constant',
    schema: { const: JSON.parse('{"__proto__":1}') as unknown },
    value: {},
  },
]

export function showLosses(): Shown[] {
  return cases.map(({ what, schema, customOptions = {}, value }) => {
    const options: ValidatorOptions = { customOptions, plugins: [] }
    const unit = { kind: 'validator' as const, digest: '', schema, externals: {}, options }
    const oracle = createOracle(unit)(schema) as CompiledValidator
    const expected = textOf(run('validator', oracle, value))
    const emitted = createEmitter({ origins }).emit(unit)
    const { text, refusal } = writtenOf(unit)
    // Where there is no module, one that does nothing shows what ours does.
    const pair = { name: what, emitted, standalone: text, inputs: [value] }
    const [found] = compareStandalone([pair])
    return {
      what,
      expected,
      standalone: refusal ?? found?.standalone ?? expected,
      emitted: found?.emitted ?? expected,
    }
  })
}

function writtenOf(unit: Parameters<typeof createStandalone>[0] & { readonly schema: unknown }): {
  readonly text: string
  readonly refusal?: string
} {
  try {
    return { text: createStandalone(unit)(unit.schema) }
  } catch (error) {
    return { text: 'module.exports = () => undefined', refusal: String(error) }
  }
}
