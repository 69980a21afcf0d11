import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RouteSchema } from '../../../runtime/artifact/normalize.ts'
import { fastify4Reading } from '../../../runtime/artifact/reading/index.ts'
import { routeDigest } from '../../../runtime/artifact/route-digest.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'
import { runs } from '../../support/runs.ts'

const part = fc.oneof(
  fc.constantFrom(
    { type: 'object', properties: { a: { type: 'string' } } },
    { type: 'object', properties: { A: { type: 'string' } } },
    { $ref: 'shared#' },
    { type: 'array', items: { $ref: 'shared#/definitions/a' } },
    { type: 'null' },
  ),
  fc.record(
    { type: fc.constant('object'), required: fc.array(fc.constantFrom('a', 'B', '"')) },
    { noNullPrototype: true },
  ),
)

const schemas: fc.Arbitrary<RouteSchema> = fc.record(
  {
    headers: part,
    body: part,
    querystring: part,
    params: part,
    response: fc.dictionary(fc.constantFrom('200', '2xx', 'default'), part, {
      maxKeys: 2,
      noNullPrototype: true,
    }),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const contexts = fc.record({
  schema: schemas,
  externals: fc.constantFrom(
    {},
    { shared: { $id: 'shared', type: 'string', definitions: { a: {} } } },
    { shared: { $id: 'shared', type: 'integer' }, other: { $id: 'other' } },
  ),
  ajv: fc.constantFrom({}, { coerceTypes: false }),
  fjs: fc.constantFrom({}, { rounding: 'ceil' }),
  isCustom: fc.boolean(),
  compiles: fc.constantFrom('both', 'validators', 'serializers'),
})

type Case = typeof contexts extends fc.Arbitrary<infer T> ? T : never

/** The digest of the route, and what it stands for: the functions that its parts need. */
function describe({ schema, externals, ajv, fjs, isCustom, compiles }: Case): [string, string] {
  const validators =
    compiles === 'serializers'
      ? undefined
      : createUnitFactory('validator', externals, { customOptions: ajv, plugins: [] })
  const serializers =
    compiles === 'validators' || !schema.response
      ? undefined
      : createUnitFactory('serializer', externals, fjs)
  const fail = (): never => assert.fail()
  const parts = [
    ...fastify4Reading
      .validators(schema, isCustom)
      .map((p) => [p.httpPart, validators?.digest(p.schema as object)]),
    ...fastify4Reading
      .serializers(schema, fail)
      .map((p) => [p.httpStatus, serializers?.digest(p.schema as object)]),
  ]
  const needed = parts.filter(([, digest]) => digest !== undefined)
  const digest = routeDigest(
    schema,
    { validators, serializers },
    isCustom,
    fastify4Reading,
  ) as string
  return [digest, JSON.stringify(needed)]
}

test('routes with the same digest need the same functions', () => {
  const known = new Map<string, string>()
  let met = 0
  fc.assert(
    fc.property(contexts, (one) => {
      const [digest, functions] = describe(one)
      if (known.has(digest)) met++
      assert.equal(known.get(digest) ?? functions, functions)
      known.set(digest, functions)
    }),
    runs(5000),
  )
  // Else nothing was compared.
  assert.ok(met > 100, `${met} of 5000 routes had a digest that was there before`)
})

test('a digest is the same for equal schemas, and another once anything in reach has changed', () => {
  fc.assert(
    fc.property(contexts, contexts, (one, other) => {
      const [digest, functions] = describe(structuredClone(one))
      assert.equal(describe(one)[0], digest)
      const [otherDigest, otherFunctions] = describe(other)
      if (functions !== otherFunctions) assert.notEqual(otherDigest, digest)
    }),
    runs(2000),
  )
})
