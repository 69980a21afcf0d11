import assert from 'node:assert/strict'
import test from 'node:test'
import { compileInProcess } from '../../../compiler/dev/in-process.ts'
import { createEmitter, EmitError } from '../../../compiler/4-emit/index.ts'
import type {
  CompiledSerializer,
  CompiledValidator,
  CompileUnit,
} from '../../../runtime/artifact/index.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'

const noOptions = { customOptions: {}, plugins: [] }

function unitOf(
  kind: CompileUnit['kind'],
  schema: unknown,
  externals: Record<string, unknown> = {},
): CompileUnit {
  const options = kind === 'validator' ? noOptions : {}
  return { kind, digest: 'a-digest', schema, externals, options }
}

test('a validator coerces, fills in defaults and reports as Ajv does', () => {
  const validate = compileInProcess(
    unitOf('validator', {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, name: { type: 'string', default: 'none' } },
    }),
  ) as CompiledValidator
  assert.equal(validate.errors, null)
  const data = { id: '4' }
  assert.equal(validate(data), true)
  assert.deepEqual(data, { id: 4, name: 'none' })
  assert.equal(validate({}), false)
  assert.deepEqual(validate.errors, [
    {
      instancePath: '',
      schemaPath: '#/required',
      keyword: 'required',
      params: { missingProperty: 'id' },
      message: "must have required property 'id'",
    },
  ])
})

test('data that cannot be written to stays as it is', () => {
  const unit = unitOf('validator', {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer', default: 1 } },
    additionalProperties: false,
  })
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

test('a serializer tells the branches of a union apart, dates included', () => {
  const serialize = compileInProcess(
    unitOf('serializer', {
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'object', properties: { x: { type: 'integer' } } },
      ],
    }),
  ) as CompiledSerializer
  assert.equal(serialize(new Date(0)), '"1970-01-01T00:00:00.000Z"')
  assert.equal(serialize({ x: 1, y: 2 }), '{"x":1}')
})

test('a schema that Ajv refuses is refused with its message', () => {
  assert.throws(
    () => createEmitter().emit(unitOf('validator', { type: 'object', foo: 1 })),
    (error) =>
      error instanceof EmitError && error.message === 'strict mode: unknown keyword: "foo"',
  )
})
