/** Tests validators that random schemas don't contain: plugins, references, options of Ajv, unusual values. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { compileInProcess } from '../../../compiler/dev/in-process.ts'
import type { CompiledValidator } from '../../../runtime/artifact/index.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'
import { runWithoutCodegen } from '../../support/no-codegen.ts'
import { runValidator } from '../../support/outcome.ts'
import { assertRefusedAlike, compiled, outcomesOf, validatorUnit } from '../../support/units.ts'
import { extensionCases } from '../../support/validator-cases/extensions.ts'
import { schemaCases } from '../../support/validator-cases/schemas.ts'

const emitter = createEmitter()
const cases = [...schemaCases, ...extensionCases].map((entry) => ({
  ...entry,
  unit: validatorUnit(entry.schema, entry.options, entry.externals),
}))

for (const { title, unit, inputs } of cases) {
  test(title, () => {
    const oracle = compileWithOracle(unit) as CompiledValidator
    const ours = compiled(emitter, unit) as CompiledValidator
    assert.equal(ours.errors, null)
    for (const input of inputs) {
      const expected = runValidator(oracle, input)
      assert.deepEqual(runValidator(ours, input), expected)
      assert.equal(JSON.stringify(ours.errors), JSON.stringify(oracle.errors))
    }
  })
}

test('all cases behave the same with code generation disabled', () => {
  const jobs = cases.map(({ unit, inputs }) => {
    return { kind: unit.kind, emitted: emitter.emit(unit), inputs }
  })
  const expected = cases.map(({ unit, inputs }) =>
    outcomesOf(unit, compileWithOracle(unit), inputs),
  )
  assert.deepEqual(runWithoutCodegen(jobs), expected)
})

test('an asynchronous validator resolves and rejects as in process', async () => {
  const { unit } = cases.find(({ title }) => title === 'an asynchronous schema')!
  const oracle = compileWithOracle(unit)
  const ours = compileInProcess(unit)
  assert.deepEqual(await ours({ a: '1' }), await oracle({ a: '1' }))
  const failures = await Promise.all(
    [oracle, ours].map((validate) =>
      (validate({}) as unknown as Promise<unknown>).catch((e: unknown) => e),
    ),
  )
  const [expected, actual] = failures.map((e) => ({ ...(e as object), text: String(e) }))
  assert.deepEqual(actual, expected)
})

test('schemas that Ajv refuses in process are refused with the same message', () => {
  const refused = [
    { type: 'object', foo: 1 },
    { type: 'string', format: 'nope' },
    { $ref: 'nope#' },
    { type: 'object', properties: { n: { $ref: '#' } } },
    { type: 'nope' },
    { $schema: 'https://json-schema.org/draft/2020-12/schema' },
    null,
    { type: 'object', properties: { a: { default: 10n } } },
    { type: 'string', pattern: '(' },
  ]
  for (const schema of refused) assertRefusedAlike(emitter, validatorUnit(schema))
  const externals = { x: { $id: 'x', type: 1 } }
  assertRefusedAlike(emitter, validatorUnit({ $ref: 'x#' }, {}, externals))
})

test('data that cannot be written to stays as it is', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer', default: 1 } },
    additionalProperties: false,
  }
  const unit = validatorUnit(schema)
  const values: (() => object)[] = [
    () => Object.freeze({ a: '1', b: 2 }),
    () => Object.freeze({ a: 1 }),
    () => Object.freeze({ b: 2, c: 3 }),
    () => ({
      get a() {
        return '5'
      },
    }),
  ]
  const [expected, actual] = [compileWithOracle(unit), compileInProcess(unit)].map((validate) =>
    values.map((make) => {
      const value = make()
      return [(validate as CompiledValidator)(value), { ...value }]
    }),
  )
  assert.deepEqual(actual, expected)
})
