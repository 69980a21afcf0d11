import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValidatorOptions } from '../../runtime/artifact/index.ts'
import { createUnitFactory } from '../../runtime/artifact/units.ts'

const none: ValidatorOptions = { customOptions: {}, plugins: [] }

function digest(
  schema: object,
  externals: Record<string, unknown> = {},
  options: ValidatorOptions = none,
): string {
  return createUnitFactory('validator', externals, options).digest(schema)
}

function reached(schema: object, externals: Record<string, unknown>): string[] {
  return Object.keys(createUnitFactory('validator', externals, none).unit(schema).externals)
}

test('the digest depends on everything a function is made from, and on nothing else', () => {
  const schema = { $ref: 'a#' }
  const base = digest(schema, { a: { $id: 'a', type: 'string' } })
  assert.equal(digest({ $ref: 'a#' }, { a: { $id: 'a', type: 'string' }, b: { $id: 'b' } }), base)
  assert.notEqual(digest(schema, { a: { $id: 'a', type: 'number' } }), base)
  assert.notEqual(digest({ $ref: 'a' }, { a: { $id: 'a', type: 'string' } }), base)
  const options = { customOptions: { coerceTypes: false }, plugins: [] }
  assert.notEqual(digest(schema, { a: { $id: 'a', type: 'string' } }, options), base)
  const serializers = createUnitFactory('serializer', { a: { $id: 'a', type: 'string' } }, {})
  assert.notEqual(serializers.digest(schema), base)
})

test('plugins and functions in the options are told apart by name', () => {
  const withPlugin = (name: string): string =>
    digest(
      {},
      {},
      { customOptions: {}, plugins: [Object.defineProperty(() => {}, 'name', { value: name })] },
    )
  assert.equal(withPlugin('errors'), withPlugin('errors'))
  assert.notEqual(withPlugin('errors'), withPlugin('merge'))
  const withFormat = (format: unknown): string =>
    digest({}, {}, { customOptions: { formats: { isbn: format } }, plugins: [] })
  assert.notEqual(withFormat(/a/), withFormat(/b/))
})

test('a unit takes along what it reaches, directly and through others, in every form of reference', () => {
  const externals = {
    a: { $id: 'a', properties: { b: { $ref: 'http://x/b.json#/definitions/c' } } },
    'http://x/b.json': { $id: 'http://x/b.json', definitions: { c: {} } },
    'http://x/dir/': { $id: 'http://x/dir/' },
    loop: { $id: 'loop', items: { $ref: 'loop#' } },
    'urn:x': { $id: 'urn:x' },
    unused: { $id: 'unused' },
  }
  assert.deepEqual(reached({ $ref: 'a' }, externals), ['a', 'http://x/b.json'])
  assert.deepEqual(reached({ items: { $ref: 'a#/properties/b' } }, externals), [
    'a',
    'http://x/b.json',
  ])
  assert.deepEqual(reached({ $ref: 'http://x/dir#/definitions/d' }, externals), ['http://x/dir/'])
  assert.deepEqual(reached({ $ref: 'loop#' }, externals), ['loop'])
  assert.deepEqual(reached({ $ref: 'urn:x' }, externals), ['urn:x'])
  assert.deepEqual(reached({ $ref: '#/definitions/a', definitions: { a: {} } }, externals), [])
})

test('a reference that no `$id` answers may lead anywhere, so it takes everything along', () => {
  const externals = { a: { definitions: { b: { $id: 'http://x/nested' } } }, c: {} }
  assert.deepEqual(reached({ $ref: 'http://x/nested' }, externals), ['a', 'c'])
})

test('an inline schema with the id of a shared one depends on the shared one', () => {
  assert.deepEqual(reached({ $id: 'a', type: 'object' }, { a: { $id: 'a' }, b: {} }), ['a'])
})
