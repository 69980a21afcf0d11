import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { type RouteSchema, cloneSchema } from '../../../runtime/artifact/normalize.ts'
import { fastify4Reading } from '../../../runtime/artifact/reading/index.ts'
import { runs } from '../../support/runs.ts'

const require = createRequire(import.meta.url)
const oracle = require('fastify/lib/schemas.js') as {
  normalizeSchema(schema: RouteSchema, options: { jsonShorthand: boolean }): RouteSchema
}

class Rule extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

function fail(code: string): never {
  throw new Rule(code)
}

/** The result of a call: the schema as plain data, or the code of the error. */
function outcome(schema: RouteSchema, normalize: (schema: RouteSchema) => RouteSchema): unknown {
  try {
    return JSON.parse(JSON.stringify(normalize(schema)))
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).name
  }
}

const keyword = fc.record(
  {
    type: fc.constantFrom('object', 'string', ''),
    properties: fc.constant({ a: { type: 'string' } }),
    $ref: fc.constant('x#'),
    oneOf: fc.constant([{ type: 'null' }]),
    allOf: fc.constant([]),
    anyOf: fc.constant([]),
    $merge: fc.constant({}),
    $patch: fc.constant({}),
    a: fc.constant({ type: 'number' }),
  },
  { requiredKeys: [] },
)

const content = fc.dictionary(
  fc.constantFrom('application/json', 'text/plain', 'schema', 'type'),
  fc.oneof(fc.record({ schema: keyword }), keyword),
  { maxKeys: 3 },
)

const routeSchema = fc.record(
  {
    body: keyword,
    query: keyword,
    querystring: keyword,
    params: fc.oneof(keyword, fc.constant(undefined)),
    headers: keyword,
    response: fc.dictionary(
      fc.constantFrom('200', '2xx', '4XX', 'default', 'type'),
      fc.oneof(keyword, fc.record({ content })),
      { maxKeys: 3 },
    ),
    description: fc.string(),
  },
  { requiredKeys: [] },
)

test('reads a route schema as fastify does, and in place', () => {
  const property = fc.property(routeSchema, fc.boolean(), (schema, jsonShorthand) => {
    const ours = cloneSchema(schema) as RouteSchema
    const theirs = cloneSchema(schema) as RouteSchema
    const actual = outcome(ours, (s) => fastify4Reading.normalize(s, { jsonShorthand }, fail))
    const expected = outcome(theirs, (s) => oracle.normalizeSchema(s, { jsonShorthand }))
    assert.deepEqual(actual, expected)
    assert.deepEqual(JSON.stringify(ours), JSON.stringify(theirs))
  })
  fc.assert(property, runs(3000))
})

test('reads a schema once, however often it is called', () => {
  const schema: RouteSchema = { body: { name: { type: 'string' } } }
  const once = JSON.stringify(fastify4Reading.normalize(schema, { jsonShorthand: true }, fail))
  const twice = JSON.stringify(fastify4Reading.normalize(schema, { jsonShorthand: true }, fail))
  assert.equal(twice, once)
})
