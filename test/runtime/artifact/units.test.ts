import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { cloneSchema } from '../../../runtime/artifact/normalize.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'

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

test('a schema that is a boolean has a digest, and a unit', () => {
  const units = createUnitFactory('validator', {}, none, 'fastify@5')
  const schema = true as unknown as object
  assert.equal(units.unit(schema).digest, units.digest(schema))
})

test('options count, but not the order of their members, or the text and names of functions', () => {
  const withOptions = (customOptions: Record<string, unknown>): string =>
    digest({}, {}, { customOptions, plugins: [] })
  const base = withOptions({ formats: { isbn: () => true, ean: /^[0-9]{13}$/ }, verbose: true })
  const same = { verbose: true, formats: { ean: /^[0-9]{13}$/, isbn: function check() {} } }
  assert.equal(withOptions(same), base)
  assert.notEqual(withOptions({ ...same, verbose: false }), base)
  assert.notEqual(withOptions({ ...same, formats: { isbn: () => true, ean: /^[0-9]{8}$/ } }), base)
  assert.notEqual(withOptions({ ...same, formats: { isbn: () => true } }), base)
})

test('plugins differ by their place and options, ajv-formats by its name', () => {
  const withPlugins = (...plugins: unknown[]): string =>
    digest({}, {}, { customOptions: {}, plugins })
  function errors(): void {}
  function merge(): void {}
  function formatsPlugin(): void {}
  const plain = withPlugins(() => undefined)
  assert.equal(withPlugins(errors), plain)
  assert.notEqual(withPlugins(errors), withPlugins(formatsPlugin))
  assert.notEqual(withPlugins(errors), withPlugins([errors, { singleError: true }]))
  assert.notEqual(withPlugins(errors), withPlugins(errors, merge))
})

test('a copy of a schema keeps a member named __proto__', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as object
  assert.equal(JSON.stringify(cloneSchema(schema)), JSON.stringify(schema))
})

test('a unit includes the shared schemas that it reaches, directly and through others, by every form of reference', () => {
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

test('a shared schema may have an `$id` with a fragment, or one that is only a fragment', () => {
  const externals = {
    '#part': { $id: '#part' },
    '#other': { $id: '#other' },
    'http://x/y': { $id: 'http://x/y' },
    'http://x/y#a': { $id: 'http://x/y#a' },
    'http://x/y#b': { $id: 'http://x/y#b' },
  }
  assert.deepEqual(reached({ $ref: '#part' }, externals), ['#part'])
  assert.deepEqual(reached({ $ref: '#/definitions/part' }, externals), [])
  assert.deepEqual(reached({ $ref: 'http://x/y#a' }, externals), ['http://x/y#a'])
  assert.deepEqual(reached({ $ref: 'http://x/y' }, externals), ['http://x/y'])
})

test('a plain name inside of a shared schema leads to the schemas that contain it, and to no others', () => {
  const externals = {
    address: { $id: 'address', properties: { geo: { $id: 'geo' }, zip: { $id: '#zip' } } },
    place: { $id: 'place', items: { $id: 'geo#', type: 'object' } },
    money: { $id: 'money' },
  }
  assert.deepEqual(reached({ $ref: 'address#' }, externals), ['address', 'place'])
  assert.deepEqual(reached({ $ref: 'money#' }, externals), ['money'])
  assert.deepEqual(reached({ $id: 'own', items: { $ref: 'money#' } }, externals), ['money'])
  assert.deepEqual(reached({ $id: 'geo' }, externals), ['address', 'place'])
  assert.deepEqual(reached({ items: { $id: '#zip' } }, externals), [])
  // A name that depends on its place may mean any of them.
  const relative = { ...externals, 'http://x/far': { $id: 'http://x/far', items: { $id: 'near' } } }
  assert.deepEqual(reached({ $ref: 'address#' }, relative), Object.keys(relative))
})
