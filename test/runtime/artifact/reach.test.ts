/**
 * A unit has all shared schemas that it needs, and its digest says in which order if that matters: Fastify compiles the same function
 * from it as from all of them, however names are nested.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type {
  CompiledFunction,
  CompiledSerializer,
  CompiledValidator,
} from '../../../runtime/artifact/index.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'
import { createOracle } from '../../support/compile-oracle.ts'
import { runSerializer, runValidator } from '../../support/outcome.ts'
import { runs } from '../../support/runs.ts'

type Json = Readonly<Record<string, unknown>>

const references = ['a#', 'b#', 'in', 'in#', 'own#', '#/properties/p', '#part', 'a#part', 'in#part']
const names = ['in', 'in#', 'inner', 'own', '#part', 'a']
const types = ['string', 'integer', 'boolean']

const { schema } = fc.letrec<{ schema: Json }>((tie) => {
  const $id = fc.option(fc.constantFrom(...names), { nil: undefined })
  const one = tie('schema')
  const objects = fc.record({ $id, type: fc.constant('object'), properties: pair(one) })
  const arrays = fc.record({ $id, type: fc.constant('array'), items: one })
  const leaves = fc.constantFrom<Json>(
    ...types.map((type) => ({ type })),
    ...references.map(($ref) => ({ $ref })),
  )
  return { schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaves, objects, arrays) }
})

function pair(one: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.record({ p: one, q: one })
}

const externals = fc.tuple(schema, schema, schema).map((list) =>
  Object.fromEntries(
    list.map((one, i): [string, Json] => {
      const $id = ['a', 'b', 'c'][i] as string
      return [$id, '$ref' in one ? { $id, allOf: [one] } : { ...one, $id }]
    }),
  ),
)

const inputs = [
  {},
  { p: '1', q: 2 },
  { p: { p: 'x', q: [1] }, q: true },
  ['1', { p: 1 }],
  { p: { q: { p: '5' } } },
  5,
]

for (const kind of ['validator', 'serializer'] as const) {
  test(`a ${kind}`, () => {
    let narrowed = 0
    let alike = 0
    const property = fc.property(externals, schema, (all, schema) => {
      const options = kind === 'validator' ? { customOptions: {}, plugins: [] } : {}
      const factory = createUnitFactory(kind as 'serializer', all, options)
      const { externals: reached } = factory.unit(schema)
      const compile = (externals: Json): CompiledFunction | undefined => {
        try {
          const copy = structuredClone({ externals, schema })
          return createOracle({ kind, externals: copy.externals, options })(copy.schema)
        } catch {
          return undefined
        }
      }
      const expected = compile(all)
      // Other tests are about faults in schemas that aren't reached.
      if (expected === undefined) return
      if (Object.keys(reached).length < 3) narrowed++
      const actual = compile(reached)
      assert.ok(actual !== undefined, 'it needs another one')
      const reversed = Object.fromEntries(Object.entries(all).reverse())
      const other = createUnitFactory(kind as 'serializer', reversed, options)
      const isAlike =
        other.digest(schema) === factory.digest(schema) ||
        other.fingerprint([]) === factory.fingerprint([])
      const swapped = isAlike ? compile(reversed) : undefined
      if (swapped !== undefined) alike++
      for (const input of inputs) {
        const run = (made: CompiledFunction): unknown =>
          kind === 'validator'
            ? runValidator(made as CompiledValidator, input)
            : runSerializer(made as CompiledSerializer, input)
        assert.deepEqual(run(actual), run(expected))
        if (swapped !== undefined) assert.deepEqual(run(swapped), run(expected), 'another order')
      }
    })
    fc.assert(property, runs(300))
    assert.ok(Math.min(narrowed, alike) > 0, `${narrowed} ${alike}`)
  })
}
