/** Tests random schemas with references, which become direct calls or are inlined. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { createEmitter, extractSharedFunctions } from '../../../compiler/4-emit/index.ts'
import { evaluate } from '../../../compiler/dev/in-process.ts'
import type { CompiledValidator } from '../../../runtime/artifact/index.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'
import { attempt, runValidator } from '../../support/outcome.ts'
import { validatorUnit } from '../../support/units.ts'
import { runs } from '../../support/runs.ts'

const text = { type: 'string', minLength: 1, maxLength: 3, pattern: '^[a-z]+$' }
const scalar = fc.constantFrom(
  { type: 'integer', maximum: 5 },
  { type: 'boolean' },
  { const: 'a' },
  { type: 'string' },
  { type: 'null' },
)
const reference = fc
  .constantFrom('a#', 'a#', 'a#', 'b#', '#/definitions/d', 'a#/definitions/d')
  .map(($ref) => ({ $ref }))

const { use } = fc.letrec<{ use: object; nested: object }>((tie) => ({
  use: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: reference, weight: 3 },
    { arbitrary: scalar, weight: 1 },
    { arbitrary: tie('nested'), weight: 3 },
  ),
  nested: fc.oneof(
    fc.record({ anyOf: fc.array(tie('use'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('use'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('use'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('use') }),
    fc.tuple(tie('use'), tie('use'), tie('use')).map((three) => condition(...three)),
    fc.record({ type: fc.constant('array'), items: tie('use') }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('use') }),
    fc.record({ type: fc.constant('object'), properties: fc.record({ p: tie('use') }) }),
  ),
}))

function condition(one: object, other: object, third: object): object {
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword
  return { if: one, then: other, else: third }
}

/** A name that isn't an identifier, and two names of Ajv's variables. */
const names = fc.constantFrom(...'pqrpqrpqr', 's`', 'errors', 'vErrors')

/** Objects of all kinds. Some are short enough to be inlined. */
const object = fc
  .record({
    isLong: fc.boolean(),
    isClosed: fc.boolean(),
    isRequired: fc.boolean(),
    properties: fc.dictionary(names, use, { minKeys: 2, maxKeys: 3 }),
    d: fc.oneof(use, fc.constant({ type: 'object', required: ['t'], properties: { t: text } })),
  })
  .map(({ isLong, isClosed, isRequired, properties, d }) => ({
    type: 'object',
    ...(isRequired && { required: ['t'] }),
    ...(isClosed && { additionalProperties: false }),
    properties: { t: text, ...(isLong && { u: text, v: text, w: text }), ...properties },
    definitions: { d },
  }))

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', maxDepth: 5 },
    fc.constantFrom<unknown>('a', 'B', '', 7, 3, '4', true, 'true', null),
    fc.record(
      {
        t: fc.constantFrom<unknown>('a', 'B', 5),
        p: tie('value'),
        q: tie('value'),
        r: tie('value'),
        's`': tie('value'),
        errors: tie('value'),
        vErrors: tie('value'),
      },
      { requiredKeys: [] },
    ),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
}))

const options = fc.constantFrom<Record<string, unknown>>(
  {},
  {},
  { coerceTypes: false },
  { removeAdditional: 'failing' },
  { useDefaults: false },
  { allErrors: true },
)

test('references at random', () => {
  const emitter = createEmitter()
  const property = fc.property(
    fc.record({ a: object, b: object, schema: object }),
    options,
    fc.array(value, { minLength: 5, maxLength: 20 }),
    ({ schema, ...others }, customOptions, values) => {
      const externals = Object.fromEntries(
        Object.entries(others).map(([$id, one]) => [$id, { $id, ...one }]),
      )
      const unit = validatorUnit(schema, { customOptions }, externals)
      const theirs = attempt(() => compileWithOracle(unit) as CompiledValidator)
      const emitted = attempt(() => emitter.emit(unit))
      if (theirs instanceof Error || emitted instanceof Error) {
        assert.equal((emitted as Error).message, (theirs as Error).message)
        return
      }
      const ours = evaluate({ ...emitted, memoryValues: [] }) as CompiledValidator
      // Throws at code that it does not know.
      extractSharedFunctions(emitted)
      for (const one of values.flatMap((each) => [each, { t: 'a', p: each }])) {
        const expected = runValidator(theirs, one)
        assert.deepEqual(runValidator(ours, one), expected)
        assert.equal(JSON.stringify(ours.errors), JSON.stringify(theirs.errors))
      }
    },
  )
  fc.assert(property, runs(120))
})
