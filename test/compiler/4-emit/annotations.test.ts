/** Tests that annotations don't affect code, so that schemas that differ only in annotations can share a function. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createEmitter, EmitError } from '../../../compiler/4-emit/index.ts'
import { withoutAnnotations } from '../../../runtime/artifact/annotations.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'
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
  fc.assert(
    fc.property(externalsCase([]), schemaCase([]), (externals, schema) => {
      const bare = Object.fromEntries(
        Object.entries(externals).map(([id, shared]) => [id, withoutAnnotations(shared)]),
      )
      assert.deepEqual(codeOf(withoutAnnotations(schema), bare), codeOf(schema, externals))
    }),
    runs(200),
  )
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
  const shared = { a: { $id: 'a', $ref: '#/description/x' } }
  assert.ok(!ignores({ $ref: 'a#' }, {}, shared))
})
