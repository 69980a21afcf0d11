/** Pairs of schemas, and values of clients that know the first one. */
import fc from 'fast-check'

export type Json = Record<string, unknown>

const KEYS = ['a', 'b', 'cc']
const TEXTS = ['', 'a', 'ab', 'abc', '5', '2024-01-01']
const NUMBERS = [-1, 0, 1, 2, 2.5, 3, 10]
const PATTERNS = ['^a', 'b$', '^\\d+$']

const small = fc.nat({ max: 3 })
const limit = fc.constantFrom(...NUMBERS)
const scalar = fc.constantFrom<unknown>(...TEXTS.slice(0, 4), ...NUMBERS.slice(0, 4), true, null)
const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true })

export interface Grammar {
  /** `anyOf`, `oneOf`, `not`, `if`, `allOf`. */
  readonly applicators: boolean
  /** `additionalProperties: false`. */
  readonly closed: boolean
}

/** Schemas over the keywords that are compared. `$ref` leads to `definitions` of the root. */
export function schemas({ applicators, closed }: Grammar): fc.Arbitrary<Json> {
  const { schema } = fc.letrec<{ schema: Json }>((tie) => {
    const inner = tie('schema')
    const string = some({
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom(...PATTERNS),
      format: fc.constant('date'),
    }).map((rest) => ({ type: 'string', ...rest }))
    const number = fc
      .tuple(
        fc.constantFrom('number', 'integer'),
        some({
          minimum: limit,
          maximum: limit,
          exclusiveMinimum: limit,
          exclusiveMaximum: limit,
          multipleOf: fc.constantFrom(1, 2, 0.5),
        }),
      )
      .map(([type, rest]) => ({ type, ...rest }))
    const array = some({
      items: fc.oneof(
        { weight: 3, arbitrary: inner },
        fc.array(inner, { minLength: 1, maxLength: 2 }),
      ),
      additionalItems: fc.oneof(fc.constant(false), inner),
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      contains: inner,
    }).map((rest) => ({ type: 'array', ...rest }))
    const additional: fc.Arbitrary<unknown> = closed
      ? fc.oneof(fc.boolean(), inner)
      : fc.oneof(fc.constant(true), inner)
    const object = some({
      properties: fc.dictionary(fc.constantFrom(...KEYS), inner, {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      required: fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 2 }),
      additionalProperties: additional,
      patternProperties: fc.dictionary(fc.constantFrom('^a', '^c'), inner, {
        maxKeys: 1,
        noNullPrototype: true,
      }),
      minProperties: small,
      maxProperties: small,
    }).map((rest) => ({ type: 'object', ...rest }))
    const listed = fc.oneof(
      fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
      scalar.map((value) => ({ const: value })),
    )
    const types = fc
      .uniqueArray(fc.constantFrom('string', 'integer', 'null', 'boolean', 'array'), {
        minLength: 1,
        maxLength: 2,
      })
      .map((type) => ({ type }))
    const ref = fc.constantFrom({ $ref: '#/definitions/one' }, { $ref: '#/definitions/two' })
    const list = fc.array(inner, { minLength: 1, maxLength: 2 })
    const combined = fc.oneof(
      list.map((anyOf) => ({ anyOf })),
      list.map((oneOf) => ({ oneOf })),
      list.map((allOf) => ({ allOf })),
      inner.map((not) => ({ not })),
      fc
        .tuple(inner, some({ ['then' as string]: inner, else: inner }))
        .map(([condition, rest]) => ({ if: condition, ...rest })),
    )
    const plain = [string, number, array, object, object, listed, types, ref]
    return {
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom<Json>({}, { type: 'boolean' }),
        ...(applicators ? [...plain, combined] : plain),
      ),
    }
  })
  return fc
    .tuple(schema, schema, schema)
    .map(([root, one, two]) => ({ ...root, definitions: { one, two } }))
}

/** Changes one member somewhere: removes it, or replaces it by another part of the schema. */
export function mutate(schema: Json, choose: (below: number) => number): Json {
  const copy = structuredClone(schema)
  const places: { readonly owner: Json; readonly key: string }[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      if (!Array.isArray(value) && !['definitions', 'one', 'two'].includes(key))
        places.push({ owner: value as Json, key })
      visit((value as Json)[key])
    }
  }
  visit(copy)
  const place = places[choose(places.length)]
  if (place === undefined) return copy
  const { owner, key } = place
  const alike = places.filter((other) => other.key === key)
  const source = alike[choose(alike.length)]
  const value = source?.owner[key]
  if (choose(2) === 0 || value === owner[key]) {
    if (typeof owner[key] === 'number') owner[key] = (owner[key] as number) + 1
    else delete owner[key]
  } else owner[key] = structuredClone(value)
  return copy
}
