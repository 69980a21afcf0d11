/** References that lead nowhere: following them finds those that Ajv can't resolve. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import type { Document } from '../../../compiler/3-resolve/explain/documents.ts'
import { reachOf } from '../../../compiler/3-resolve/explain/reach.ts'
import type { SharedSchema } from '../../../compiler/model/index.ts'
import { runs } from '../../support/runs.ts'

interface Schemas {
  readonly part: object
  readonly shared: readonly { readonly $id: string }[]
}

/** Names, and what may be written for them: `$id` of three forms, references from elsewhere and from beside them. */
const ids = ['plain', 'hashed#', 'https://shop.example/schemas/book.json', '/relative/page']

const refs = [
  '# #/definitions/a #/definitions/b #/definitions/a/items #/definitions/none #/none',
  '#anchor #elsewhere #/definitions/a%62 #/definitions/x~1y',
  'plain plain# plain#/definitions/a plain#/definitions/none hashed# hashed#anchor',
  'https://shop.example/schemas/book.json https://shop.example/schemas/book.json#/definitions/b',
  'book.json book.json#/definitions/none /relative/page# page page#/definitions/a',
  'unknown unknown#/definitions/a inner inner#/definitions/deep inner#/definitions/none',
].flatMap((line) => line.split(' '))

const ref = fc.record({ $ref: fc.constantFrom(...refs) })
const leaf = fc.oneof(fc.constant({ type: 'string' }), ref)

/** A schema with a name of its own inside of another. */
const named = leaf.map((deep) => ({
  $id: 'inner',
  definitions: { deep },
  properties: { here: { $ref: '#/definitions/deep' } },
}))

const schema = fc.oneof(
  leaf,
  fc.record({ type: fc.constant('array'), items: leaf }),
  fc.record({ allOf: fc.array(leaf, { minLength: 1, maxLength: 2 }) }),
  fc.record({ type: fc.constant('object'), patternProperties: fc.record({ '^x': leaf }) }),
)

const members = {
  properties: fc.dictionary(
    fc.constantFrom('p', 'q'),
    fc.oneof({ weight: 5, arbitrary: schema }, named),
  ),
  definitions: fc.record(
    { a: schema, b: leaf, 'x/y': leaf, c: fc.record({ $id: fc.constant('#anchor'), not: leaf }) },
    { requiredKeys: [] },
  ),
}

const schemas: fc.Arbitrary<Schemas> = fc.record({
  part: fc.record(members, { requiredKeys: ['properties'] }),
  shared: fc
    .subarray(ids)
    .chain((some) =>
      fc.tuple(...some.map(($id) => fc.record({ $id: fc.constant($id), ...members }))),
    ),
})

test('references that lead nowhere are exactly those that Ajv cannot resolve', () => {
  const counts = { broken: 0, whole: 0 }
  const property = fc.property(schemas, (all) => {
    const { part, shared } = JSON.parse(JSON.stringify(all)) as Schemas
    const hasTwo = JSON.stringify(all).split('"$id":"inner"').length > 2
    const missing = hasTwo ? 'unclear' : missingOf(part, shared)
    if (missing === 'unclear') return
    const { broken } = reachOf(
      documentOf(part),
      shared.map((one) => documentOf(one, one.$id)),
      'validator',
    )
    const found = broken.map((one) => one.ref)
    if (missing === undefined) assert.deepEqual(found, [])
    else assert.ok(found.includes(missing), `Ajv stops at ${missing}, and not at ${found.join()}`)
    counts[missing === undefined ? 'whole' : 'broken']++
  })
  fc.assert(property, runs(600))
  assert.ok(Math.min(...Object.values(counts)) > 50, JSON.stringify(counts))
})

function documentOf(schema: object, id?: string): Document {
  const shared = id === undefined ? undefined : ({ id, schema: { value: schema } } as SharedSchema)
  return {
    schema,
    shared,
    locate: () => {
      throw new Error('No place is asked for')
    },
  }
}

/** The reference that Ajv cannot resolve; `unclear` where two schemas have one name, or Ajv doesn't finish. */
function missingOf(part: object, shared: Schemas['shared']): string | undefined {
  const ajv = new Ajv({ strict: false, logger: false })
  try {
    for (const one of shared) ajv.addSchema(structuredClone(one))
    ajv.compile(structuredClone(part))
    return undefined
  } catch (error) {
    const { message, missingRef } = error as { message: string; missingRef?: string }
    if (/resolves to more than one schema|already exists/.test(message)) return 'unclear'
    // A reference that leads to itself.
    if (error instanceof RangeError) return 'unclear'
    if (missingRef === undefined) throw error
    return /reference (\S+) from/.exec(message)?.[1]
  }
}
