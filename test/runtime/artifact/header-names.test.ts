import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import fc from 'fast-check'
import { lowerCaseHeaders } from '../../../runtime/artifact/header-names.ts'
import { runs } from '../../support/runs.ts'

const name = fc.constantFrom('X-A', 'X-B', 'Content-Type', 'Const', 'Properties')
/** Some look like names. */
const value = fc.constantFrom('X-A', 'x-a', 'v')
const names = fc.uniqueArray(name, { maxLength: 3 })

function table<T>(content: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.dictionary(name, content, { minKeys: 1, maxKeys: 2, noNullPrototype: true })
}

function keyword(key: string, content: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return content.map((one) => ({ [key]: one }))
}

const ofValue = fc.oneof(
  keyword('const', value),
  keyword('enum', fc.uniqueArray(value, { minLength: 1 })),
  keyword('pattern', fc.constantFrom('^x', '^X')),
  fc.boolean(),
)

const ofName = fc.oneof(
  keyword('const', name),
  keyword('enum', fc.uniqueArray(name, { minLength: 1 })),
  keyword('not', keyword('const', name)),
  keyword('anyOf', fc.array(keyword('const', name), { minLength: 1, maxLength: 2 })),
)

/** @param leaf a schema without others inside */
function schemaOf(leaf: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
    const inner = tie('schema')
    const list = fc.array(inner, { minLength: 1, maxLength: 2 })
    return {
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        leaf,
        keyword('properties', table(inner)),
        keyword('dependencies', table(fc.oneof(names, inner))),
        keyword('dependentSchemas', table(inner)),
        keyword('additionalProperties', inner),
        ...['allOf', 'anyOf', 'oneOf'].map((key) => keyword(key, list)),
        keyword('not', inner),
        fc
          .tuple(inner, inner, inner)
          .map((parts) =>
            Object.fromEntries(['if', 'then', 'else'].map((key, i) => [key, parts[i]])),
          ),
      ),
    }
  })
  return schema
}

const leaf = fc.oneof(
  keyword('required', names),
  keyword('properties', table(ofValue)),
  keyword('dependentRequired', table(names)),
  keyword('propertyNames', ofName),
  keyword('patternProperties', fc.constant({ '-': { const: 'v' } })),
)
const reference = fc.constantFrom(
  { $ref: '#/definitions/Case' },
  { $ref: '#/properties/X-A' },
  { $ref: '#/definitions/properties/properties/X-B' },
)
const schemas = fc.record(
  {
    definitions: fc.record(
      {
        Case: schemaOf(leaf),
        properties: fc.record({ properties: fc.record({ 'X-B': schemaOf(leaf) }) }),
      },
      { noNullPrototype: true },
    ),
    properties: fc.record({ 'X-A': schemaOf(leaf) }, { noNullPrototype: true }),
    allOf: fc.array(schemaOf(fc.oneof(leaf, reference)), { minLength: 1, maxLength: 2 }),
  },
  { noNullPrototype: true },
)
const headers = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true })

const ajv = new Ajv2019({ strict: false, addUsedSchema: false })

test('a schema with lower-case names treats lower-case headers as the original treats the headers', () => {
  const verdicts = { true: 0, false: 0 }
  fc.assert(
    fc.property(schemas, fc.array(headers, { minLength: 5, maxLength: 5 }), (schema, sent) => {
      const before = JSON.stringify(schema)
      const lowered = lowerCaseHeaders(schema)
      assert.equal(JSON.stringify(schema), before)
      assert.equal(lowerCaseHeaders(lowered), lowered)
      const [asWritten, inLowerCase] = [ajv.compile(schema), ajv.compile(lowered)]
      for (const one of sent) {
        const names = Object.entries(one).map(([name, text]) => [name.toLowerCase(), text])
        const expected = asWritten(one)
        assert.equal(inLowerCase(Object.fromEntries(names)), expected)
        verdicts[`${expected}`]++
      }
    }),
    runs(200),
  )
  // Otherwise nothing was distinguished.
  assert.ok(Math.min(verdicts.true, verdicts.false) > 100, JSON.stringify(verdicts))
})

test('a schema without other names stays the same object, and other values stay unchanged', () => {
  const schema = { properties: { 'x-a': { const: 'X-A' } }, examples: [{ 'X-A': 1 }] }
  assert.equal(lowerCaseHeaders(schema), schema)
  const odd = { required: ['X-A', 5], properties: null, dependencies: 'X-A', $ref: 'Shared#Part' }
  assert.deepEqual(lowerCaseHeaders(odd), { ...odd, required: ['x-a', 5] })
  const own = JSON.parse('{"properties":{"__proto__":{"const":1},"X-A":{}}}') as object
  const lowered = JSON.stringify(lowerCaseHeaders(own))
  assert.equal(lowered, '{"properties":{"__proto__":{"const":1},"x-a":{}}}')
})

test('the property that chooses one of several schemas is a name', () => {
  const schema = { discriminator: { propertyName: 'X-Kind' }, oneOf: [{ required: ['X-Kind'] }] }
  assert.deepEqual(lowerCaseHeaders(schema), {
    discriminator: { propertyName: 'x-kind' },
    oneOf: [{ required: ['x-kind'] }],
  })
})
