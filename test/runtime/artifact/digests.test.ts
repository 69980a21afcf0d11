/** Schemas that are compiled to different code have different digests, however they are created. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { fastify4Reading } from '../../../runtime/artifact/reading/index.ts'
import { routeDigest } from '../../../runtime/artifact/route-digest.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'
import { runs } from '../../support/runs.ts'

const DAY = '2020-01-01T00:00:00.000Z'

/** Ways to create a value whose JSON is the same. */
type Manner = 'plain' | 'odd' | 'hidden' | 'inherited' | 'getter' | 'bare' | 'instance' | 'toJSON'

const manners: readonly Manner[] = [
  'odd',
  'hidden',
  'inherited',
  'getter',
  'bare',
  'instance',
  'toJSON',
]

type Choose = () => Manner

/** Creates a schema, or a part of one. */
type Recipe = (choose: Choose) => unknown

class Instance {
  describe(): string {
    return 'of a class'
  }
}

function scalar(value: unknown): Recipe {
  return (choose) => (choose() === 'odd' ? oddScalar(value) : value)
}

/** Another value with the same JSON, if there is one. */
function oddScalar(value: unknown): unknown {
  if (value === DAY) return new Date(DAY)
  if (value === null) return Number.NaN
  if (value === 0) return -0
  return Object(value) as unknown
}

function list(members: readonly Recipe[]): Recipe {
  return (choose) => {
    const made = members.map((make) => make(choose))
    const manner = choose()
    const at = made.indexOf(null)
    if (manner === 'odd' && at !== -1) made[at] = undefined
    if (manner === 'hidden' && at !== -1) Reflect.deleteProperty(made, at)
    if (manner === 'toJSON') hide(made, 'toJSON', () => [...made, 'more'])
    return made
  }
}

function hide(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: false, configurable: true })
}

function object(members: Readonly<Record<string, Recipe>>): Recipe {
  return (choose) => {
    const made = Object.fromEntries(Object.entries(members).map(([k, make]) => [k, make(choose)]))
    const [last] = Object.keys(made).slice(-1)
    const extra = { maxLength: 1, maximum: 1, maxItems: 0, maxProperties: 0 }
    switch (choose()) {
      case 'hidden':
        for (const [key, value] of Object.entries(extra)) if (!(key in made)) hide(made, key, value)
        return made
      case 'inherited':
        return Object.assign(Object.create(extra) as object, made)
      case 'getter':
        if (last === undefined) return made
        return Object.defineProperty({ ...made }, last, {
          get: () => made[last],
          enumerable: true,
          configurable: true,
        })
      case 'bare':
        return Object.assign(Object.create(null) as object, made)
      case 'instance':
        return Object.assign(new Instance(), made)
      case 'toJSON':
        hide(made, 'toJSON', () => ({ ...made }))
        return { ...extra, toJSON: () => made }
      case 'odd':
        return { ...made, maxLength: made.maxLength, [Symbol('odd')]: 1 }
      case 'plain':
        return made
    }
  }
}

/** An object in `const`, `enum` or `default`. There, Ajv distinguishes members that are `undefined` from those that are missing. */
function objectValue(members: Readonly<Record<string, Recipe>>): Recipe {
  return (choose) =>
    object(members)(() => {
      const manner = choose()
      return manner === 'odd' ? 'plain' : manner
    })
}

const anyScalar = fc
  .constantFrom<unknown>('a', 'ab', '\ud800', '\\ud800', DAY, 0, 1, 2, true, null)
  .map(scalar)
const anyValue = fc.oneof(
  { weight: 3, arbitrary: anyScalar },
  { weight: 1, arbitrary: fc.array(anyScalar, { maxLength: 2 }).map(list) },
  {
    weight: 1,
    arbitrary: fc
      .dictionary(fc.constantFrom('a', 'b'), anyScalar, { maxKeys: 2, noNullPrototype: true })
      .map(objectValue),
  },
)

/** Schemas, by the code that creates them. */
const { schema: recipes } = fc.letrec<{ schema: Recipe }>((tie) => {
  const inner = tie('schema')
  const inners = fc.array(inner, { minLength: 1, maxLength: 2 }).map(list)
  const keywords = {
    type: fc.constantFrom('string', 'integer', 'object', 'array', 'null').map(scalar),
    const: anyValue,
    enum: fc.array(anyValue, { minLength: 1, maxLength: 3 }).map(list),
    default: anyValue,
    maxLength: fc.nat(2).map(scalar),
    minimum: fc.nat(2).map(scalar),
    required: fc
      .uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 })
      .map((names) => list(names.map(scalar))),
    properties: fc
      .dictionary(fc.constantFrom('a', 'b'), inner, {
        minKeys: 1,
        maxKeys: 2,
        noNullPrototype: true,
      })
      .map(object),
    additionalProperties: inner,
    items: inner,
    not: inner,
    anyOf: inners,
    allOf: inners,
    description: anyScalar,
  }
  const { type, maxLength, const: constant } = keywords
  const some = (
    of: Partial<Record<keyof typeof keywords, fc.Arbitrary<Recipe>>>,
  ): fc.Arbitrary<Recipe> =>
    fc
      .record(of, { requiredKeys: [], noNullPrototype: true })
      .map((members) => object(members as Record<string, Recipe>))
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      some({ type, maxLength, enum: keywords.enum }),
      some({ const: constant }),
      some(keywords),
    ),
  }
})

/** Mostly plain, sometimes another kind. */
const choices = fc.infiniteStream(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Manner>('plain') },
    { weight: 1, arbitrary: fc.constantFrom(...manners) },
  ),
)

/** One for each schema: it keeps the names of those in it. */
function createAjv(): Ajv {
  return new Ajv({
    strict: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    coerceTypes: 'array',
    useDefaults: true,
    removeAdditional: true,
    logger: false,
  })
}

const texts = ['a', 'ab', 'abc', '', '\ud800', '\\ud800', '\ufffd', DAY]
const scalars = [...texts, 0, 1, 2, 3, -1, true, false, null]
const lists = [[], ['a'], [0, 1], [null]]
const objects = [{}, { a: 'a' }, { a: 1, b: null }, { b: 'ab' }, { a: { a: 'ab' } }]
const values: readonly unknown[] = [...scalars, ...lists, ...objects]

/** The results of a schema for all values; `undefined` if Ajv refuses it. */
function behaviour(schema: unknown): string | undefined {
  let validate
  try {
    validate = createAjv().compile(schema as object)
  } catch {
    return undefined
  }
  const seen = values.map((value) => {
    const box = { value: structuredClone(value) }
    try {
      const isValid = validate(box.value, {
        instancePath: '',
        parentData: box,
        parentDataProperty: 'value',
        rootData: box,
        dynamicAnchors: {},
      })
      const errors = (validate.errors ?? []).map(({ instancePath, keyword }) => [
        instancePath,
        keyword,
      ])
      return [isValid, box.value, errors]
    } catch {
      // A default of another realm of values, say.
      return 'throws'
    }
  })
  return JSON.stringify(seen)
}

const plainOptions = { customOptions: {}, plugins: [] }
const extended = {
  customOptions: { keywords: [{ keyword: 'x', validate: () => true }] },
  plugins: [],
}

/** The identities of a schema: its digest, its text as a shared one, and the digest of its route. */
function identities(schema: unknown): (string | undefined)[] {
  const units = createUnitFactory('validator', {}, plainOptions)
  const shared = createUnitFactory('validator', { shared: schema }, plainOptions)
  return [
    units.digest(schema as object),
    createUnitFactory('validator', {}, extended).digest(schema as object),
    shared.digest({ $ref: 'shared#' }),
    routeDigest(
      { body: schema },
      { validators: units, serializers: undefined },
      false,
      fastify4Reading,
    ),
  ]
}

test('two schemas whose validators differ have other digests and texts', () => {
  let differ = 0
  const property = fc.property(recipes, choices, choices, (make, one, other) => {
    const schemas = [one, other].map((stream) => make(() => stream.next().value as Manner))
    const [first, second] = schemas.map(behaviour)
    if (first === undefined || second === undefined || first === second) return
    differ++
    const [own = [], others = []] = schemas.map(identities)
    own.forEach((identity, i) => {
      if (identity !== undefined) assert.notEqual(identity, others[i], `identity ${i}`)
    })
  })
  fc.assert(property, runs(1000))
  // Otherwise nothing was compared.
  assert.ok(differ > 30, `${differ} pairs differed`)
})

test('equal schemas have the same digest, however they are created', () => {
  const same: readonly Manner[] = ['plain', 'getter']
  fc.assert(
    fc.property(recipes, fc.infiniteStream(fc.constantFrom(...same)), (make, stream) => {
      const plain = make(() => 'plain')
      const other = make(() => stream.next().value as Manner)
      assert.deepEqual(identities(other), identities(plain))
      assert.equal(identities(plain)[0], identities(structuredClone(plain))[0])
    }),
    runs(500),
  )
  const shared = { type: 'string' }
  const twice = { properties: { a: shared, b: shared }, [Symbol('kind')]: 1 }
  const apart = { properties: { a: { type: 'string' }, b: { type: 'string' } } }
  assert.deepEqual(identities(twice), identities(apart))
  const bare = { __proto__: null, ...twice, items: Object.assign(new Instance(), shared) }
  assert.equal(identities(bare)[0], identities({ ...apart, items: shared })[0])
})

/** Ways from a schema into one of its annotations, and the value that has to be there. */
const references = [
  '#/description',
  '#/%64escription',
  '#/examples/0',
  '#/properties/b/title',
  '#/properties/b/t%69tle/not',
  'http://x.test/inner',
  'inner#',
  'inner#/properties/c',
  '#inner',
] as const

const holders = fc.constantFrom<(schema: object) => object>(
  (schema) => ({ description: schema }),
  (schema) => ({ examples: [schema] }),
  (schema) => ({ properties: { b: { title: schema } } }),
  (schema) => ({ properties: { b: { title: { not: schema } } } }),
  (schema) => ({ description: { ...schema, $id: 'http://x.test/inner' } }),
  (schema) => ({ $id: 'http://x.test/outer', example: { ...schema, $id: 'inner' } }),
  (schema) => ({ description: { $id: 'inner', properties: { c: schema } } }),
  (schema) => ({ description: { summary: { ...schema, $id: '#inner' } } }),
  (schema) => ({ description: { summary: { ...schema, $anchor: 'inner' } } }),
)

test('without annotations, schemas whose validators differ have other digests as well, or none', () => {
  let differ = 0
  const inner = fc.constantFrom<object>(
    { type: 'string' },
    { type: 'integer' },
    { maxLength: 1 },
    { type: 'string', title: 'a string' },
  )
  const property = fc.property(
    holders,
    fc.constantFrom(...references),
    inner,
    inner,
    fc.boolean(),
    (hold, reference, one, other, isShared) => {
      const held = [one, other].map(hold)
      const schemas = held.map((schema) => ({ ...schema, items: { $ref: reference } }))
      const [first, second] = schemas.map(behaviour)
      if (first === undefined || second === undefined || first === second) return
      differ++
      const [own, others] = schemas.map((schema) =>
        isShared
          ? createUnitFactory('validator', { shared: schema }, plainOptions).digest({
              $ref: 'shared#',
            })
          : createUnitFactory('validator', {}, plainOptions).digest(schema),
      )
      assert.notEqual(own, others)
    },
  )
  fc.assert(property, runs(500))
  assert.ok(differ > 20, `${differ} pairs differed`)
})

test("properties that libraries hide under names with ~ don't change the digest", () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const hide = (object: object, name: string, value: unknown): object =>
    Object.defineProperty({ ...object }, name, { value })
  const ofZod = hide(schema, '~standard', { vendor: 'zod', jsonSchema: { input: () => schema } })
  const property = hide(hide(schema.properties.a, '~kind', 'String'), '~optional', true)
  const ofTypebox = hide({ ...schema, properties: { a: property } }, '~kind', 'Object')
  const units = createUnitFactory('validator', {}, plainOptions)
  for (const described of [ofZod, ofTypebox]) {
    assert.equal(units.digest(described), units.digest(schema))
  }
  assert.notEqual(units.digest(hide(schema, 'minProperties', 1)), units.digest(schema))
})
