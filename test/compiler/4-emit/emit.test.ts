import assert from 'node:assert/strict'
import test from 'node:test'
import { compileInProcess } from '../../../compiler/dev/in-process.ts'
import type { CompiledValidator } from '../../../runtime/artifact/index.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'
import { validatorUnit } from '../../support/units.ts'

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
