/** Tests that annotations don't affect code, so that schemas that differ only in annotations can share a function. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createEmitter, EmitError } from '../../../compiler/4-emit/index.ts'
import { withoutAnnotations } from '../../../runtime/artifact/annotations.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'
import { createOracle } from '../../support/compile-oracle.ts'
import { externalsCase, schemaCase, type Externals } from '../../support/random-schemas.ts'
import { runs } from '../../support/runs.ts'

const options = { customOptions: {}, plugins: [] }

/** Returns the code of the validator and the serializer, or the reason why there is none. */
function codeOf(schema: object, externals: Externals): unknown[] {
  const emitter = createEmitter()
  const units = [
    createUnitFactory('validator', externals, options),
    createUnitFactory('serializer', externals, {}),
  ]
  return units.map((factory) => {
    try {
      const { code, imports } = emitter.emit(factory.unit(schema))
      return { code, imports }
    } catch (error) {
      if (error instanceof EmitError) return error.message
      throw error
    }
  })
}

test('the code of a schema is the code of the schema without annotations', () => {
  const property = fc.property(externalsCase([]), schemaCase([]), (externals, schema) => {
    const bare = Object.fromEntries(
      Object.entries(externals).map(([id, shared]) => [id, withoutAnnotations(shared)]),
    )
    assert.deepEqual(codeOf(withoutAnnotations(schema), bare), codeOf(schema, externals))
  })
  fc.assert(property, runs(200))
})

test('members with the name of an annotation are kept elsewhere', () => {
  const schema = {
    title: 'gone',
    properties: { title: { type: 'string', description: 'gone' }, tags: { type: 'array' } },
    required: ['title'],
    enum: [{ title: 'kept' }],
    default: { description: 'kept' },
    dependencies: { tags: ['title'] },
  }
  assert.deepEqual(withoutAnnotations(schema), {
    properties: { title: { type: 'string' }, tags: { type: 'array' } },
    required: ['title'],
    enum: [{ title: 'kept' }],
    default: { description: 'kept' },
    dependencies: { tags: ['title'] },
  })
})

test('annotations change no digest, unless a function may depend on them', () => {
  const described = { type: 'string', description: 'a' }
  const ignores = (schema: object, customOptions: object, externals = {}): boolean => {
    const options = { customOptions: customOptions as Record<string, unknown>, plugins: [] }
    const units = createUnitFactory('validator', externals, options)
    return units.digest(schema) === units.digest({ ...schema, title: 'b' })
  }
  assert.ok(ignores(described, {}))
  assert.ok(!ignores(described, { verbose: true }))
  assert.ok(!ignores(described, { $comment: (): void => undefined }))
  assert.ok(!ignores(described, { keywords: [{ keyword: 'x', validate: () => true }] }))
  assert.ok(!ignores({ examples: [{}], items: { $ref: '#/examples/0' } }, {}))
  assert.ok(ignores({ ...described, example: 1 }, {}))
  const shared = { a: { $id: 'a', $ref: '#/description/x' } }
  assert.ok(!ignores({ $ref: 'a#' }, {}, shared))
})

test('annotations that Ajv refuses change the digest, so that each schema is checked', () => {
  const type = { type: 'string' }
  const differs = (annotation: object, customOptions: Record<string, unknown> = {}): boolean => {
    const units = createUnitFactory('validator', {}, { customOptions, plugins: [] })
    return units.digest(type) !== units.digest({ ...type, ...annotation })
  }
  for (const refused of [{ title: 5 }, { description: null }, { examples: 3 }, { example: 1 }]) {
    assert.ok(codeOf({ ...type, ...refused }, {}).some((code) => typeof code === 'string'))
    assert.ok(differs(refused))
  }
  assert.ok(!differs({ title: 'a', deprecated: true, examples: [1] }))
  for (const customOptions of [
    { strict: false },
    { strictSchema: 'log' },
    { keywords: ['example'] },
  ])
    assert.ok(!differs({ example: 1 }, customOptions))
  const serializers = createUnitFactory('serializer', {}, {})
  assert.equal(serializers.digest({ ...type, example: 1 }), serializers.digest(type))
  assert.notEqual(serializers.digest({ ...type, title: 5 }), serializers.digest(type))
})

test('annotations that Ajv refuses in other modes change the digest as well', () => {
  const type = { type: 'string' }
  for (const [mode, annotation] of [
    ['JTD', { description: 'a' }],
    ['2019', { deprecated: 'yes' }],
    ['2020', { deprecated: 'yes' }],
  ] as const) {
    const options = { customOptions: {}, plugins: [], mode }
    const compile = createOracle({ kind: 'validator', externals: {}, options })
    assert.ok(compile(type))
    assert.throws(() => compile({ ...type, ...annotation }), /schema is invalid/)
    const units = createUnitFactory('validator', {}, options)
    assert.notEqual(units.digest({ ...type, ...annotation }), units.digest(type))
  }
})
