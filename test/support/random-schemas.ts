/** Arbitrary JSON schemas over all keywords, for fast-check. */
import fc from 'fast-check'
import { keywordsFor, type Feature } from './random-keywords.ts'
import { KEYS, PATTERNS, PLAIN, some } from './random-parts.ts'
import { TEXTS } from './random-values.ts'

type Json = Record<string, unknown>

export const FORMATS: readonly string[] = [
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
  'byte',
  'password',
  'binary',
]

const NUMBER_FORMATS = ['int32', 'int64', 'float', 'double']

/** Shared schemas by `$id`. */
export type Externals = Readonly<Record<string, unknown>>

const key = fc.constantFrom(...KEYS)
const size = fc.nat({ max: 4 })
const limit = fc.constantFrom(0, -0, 1, 2, 3, 5, 1.5, -1, 10, 1e21, -1e-7, 2 ** 53)
const scalar = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS),
  fc.constantFrom<unknown>(0, -0, 1, -1, 1.5, 2, 10, 2 ** 53, 1e21, 1e-7),
  fc.constantFrom<unknown>(true, false, null),
)
const plainValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.dictionary(key, scalar, { maxKeys: 2, ...PLAIN }) },
)
const list = (of: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
  fc.uniqueArray(of, { minLength: 1, maxLength: 3, selector: (value) => JSON.stringify(value) })
const note = fc.constantFrom('note', '*/ "', '`${x}`', '</script>\u2028\n')

function typed(type: string, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> {
  const annotations = { default: plainValue, description: note, examples: list(plainValue) }
  return some({ ...fields, ...annotations }).map((rest) => ({ type, ...rest }))
}

/** @param ids shared schemas that a `$ref` may name */
function schemaWithin(ids: readonly string[], features: readonly Feature[]): fc.Arbitrary<Json> {
  const { schema } = fc.letrec<{ schema: Json | boolean }>((tie) => {
    const sub = tie('schema')
    const more = keywordsFor(features, sub)
    const subs = fc.array(sub, { minLength: 1, maxLength: 3 })
    const map = fc.dictionary(key, sub, { maxKeys: 3, ...PLAIN })
    const names = fc.uniqueArray(key, { maxLength: 3 })
    const moment = fc.constantFrom('2024-01-01', '10:20:30', '2024-01-01T10:20:30Z', '')
    const text = typed('string', {
      minLength: size,
      maxLength: size,
      pattern: fc.constantFrom(...PATTERNS),
      format: fc.constantFrom(...FORMATS),
      enum: fc.uniqueArray(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 4 }),
      contentEncoding: fc.constant('base64'),
      nullable: fc.boolean(),
      ...more.text,
    })
    const dated = fc.oneof(
      fc.constantFrom('date', 'time', 'date-time').map((format) => ({ type: 'string', format })),
      fc
        .tuple(
          fc.constantFrom('date', 'time', 'date-time'),
          fc.constantFrom('formatMinimum', 'formatMaximum', 'formatExclusiveMinimum'),
          moment,
        )
        .map(([format, keyword, value]) => ({ type: 'string', format, [keyword]: value })),
    )
    const numeric = {
      minimum: limit,
      maximum: limit,
      exclusiveMinimum: limit,
      exclusiveMaximum: limit,
      multipleOf: fc.constantFrom(1, 2, 0.5, 0.1, 0.01, 1e-7, 3e20),
      format: fc.constantFrom(...NUMBER_FORMATS),
      nullable: fc.boolean(),
      ...more.numeric,
    }
    const array = typed('array', {
      items: fc.oneof(
        { weight: 4, arbitrary: sub as fc.Arbitrary<unknown> },
        { weight: 1, arbitrary: subs },
      ),
      additionalItems: sub,
      minItems: size,
      maxItems: size,
      uniqueItems: fc.boolean(),
      contains: sub,
      ...more.array,
    })
    const object = fc
      .tuple(
        map,
        some({
          required: names,
          additionalProperties: sub,
          patternProperties: fc.dictionary(fc.constantFrom(...PATTERNS), sub, {
            maxKeys: 2,
            ...PLAIN,
          }),
          propertyNames: text,
          minProperties: size,
          maxProperties: size,
          dependencies: fc.dictionary(key, fc.oneof(names as fc.Arbitrary<unknown>, sub), {
            maxKeys: 2,
            ...PLAIN,
          }),
          nullable: fc.boolean(),
          ...more.object,
        }),
      )
      .map(([properties, rest]) => ({ type: 'object', properties, ...rest }))
    const union = fc
      .uniqueArray(
        fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array'),
        { minLength: 1, maxLength: 3 },
      )
      .map((type) => ({ type }))
    const reference = fc
      .constantFrom(
        '#/definitions/one',
        '#/definitions/two',
        ...ids.flatMap((id) => [`${id}#`, `${id}#/definitions/in`]),
        ...(features.includes('references') ? REFERENCES : []),
      )
      .chain(($ref) =>
        fc.oneof(
          { weight: 3, arbitrary: fc.constant<Json>({ $ref }) },
          { weight: 1, arbitrary: some(beside).map((rest): Json => ({ $ref, ...rest })) },
        ),
      )
    const beside = { default: plainValue, description: note, minLength: size, required: names }
    const combination = some({ allOf: subs, anyOf: subs, oneOf: subs, not: sub }).chain((schema) =>
      fc.constantFrom(schema, { type: 'object', ...schema }),
    )
    const condition = fc.record(
      // oxlint-disable-next-line no-thenable -- the keyword
      { if: sub, then: sub, else: sub },
      { requiredKeys: ['if'], ...PLAIN },
    )
    return {
      schema: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        { weight: 3, arbitrary: text },
        { weight: 1, arbitrary: dated },
        { weight: 2, arbitrary: typed('number', numeric) },
        { weight: 2, arbitrary: typed('integer', numeric) },
        { weight: 1, arbitrary: typed('boolean', { nullable: fc.boolean() }) },
        { weight: 1, arbitrary: fc.constant({ type: 'null' }) },
        { weight: 1, arbitrary: union },
        { weight: 1, arbitrary: fc.record({ enum: list(plainValue) }, PLAIN) },
        { weight: 1, arbitrary: fc.record({ const: plainValue }, PLAIN) },
        { weight: 1, arbitrary: fc.boolean() },
        { weight: 2, arbitrary: reference },
        { weight: 6, arbitrary: object },
        { weight: 3, arbitrary: array },
        { weight: 2, arbitrary: combination },
        { weight: 1, arbitrary: condition },
        ...more.schemas.map((arbitrary) => ({ weight: 2, arbitrary })),
      ) as fc.Arbitrary<Json | boolean>,
    }
  })
  return schema.map((s) => {
    if (typeof s === 'boolean') return { allOf: [s] }
    // Refused at the root by strict mode.
    const { default: _, ...rest } = s
    return rest
  })
}

export const TREE = 'http://x.test/tree'

/** References to the schemas of `definitionsFor`: with escapes, by a base of its own, by an anchor. */
const REFERENCES: readonly string[] = [
  '#/definitions/a~1b~0c',
  '#/definitions/a%20b%25',
  '#/definitions/%C3%A9',
  '#/definitions/é',
  '#/definitions/one/properties/p',
  '#/definitions/based',
  'http://x.test/base/',
  'http://x.test/base/#/definitions/inner',
  'http://x.test/base/x/../sub',
  'sub',
  '#anchor',
  '#/definitions/tagged',
]

/** @param inner any schema */
function definitionsFor(inner: Json): Json {
  return {
    'a/b~c': inner,
    'a b%': { type: 'integer', maximum: 5 },
    é: { type: 'string', maxLength: 2 },
    anchored: { $id: '#anchor', type: ['boolean', 'null'] },
    based: {
      $id: 'http://x.test/base/',
      type: 'object',
      properties: { a: { $ref: '#/definitions/inner' }, b: { $ref: 'sub#/definitions/inner' } },
      definitions: {
        inner: { type: 'number', minimum: 1 },
        sub: {
          $id: 'sub',
          type: 'object',
          properties: { c: { $ref: '#/definitions/inner' }, x1: { $ref: '#' } },
          definitions: { inner: { type: 'boolean', default: true } },
        },
      },
    },
    tagged: {
      type: 'object',
      properties: { a: { const: 'ref' }, c: inner },
      required: ['a', 'c'],
    },
  }
}

/** A recursive schema that every shared one refers to. */
export const tree: Readonly<Json> = {
  $id: TREE,
  type: 'object',
  properties: { k: { type: 'array', items: { $ref: '#' } }, v: { type: 'integer' } },
  definitions: { in: { type: 'boolean' } },
}

/** A shared schema that refers to those with the given `$id`s, which have to hold `tree`. */
export function sharedCase(
  $id: string,
  ids: readonly string[],
  features: readonly Feature[],
): fc.Arbitrary<Json> {
  return schemaWithin(ids, features).map((inner) => ({
    $id,
    type: 'object',
    properties: { s: { type: 'string', default: 'd' }, t: { $ref: `${TREE}#` } },
    definitions: { in: inObject(inner), one: { type: 'number' }, two: { type: 'string' } },
  }))
}

/** Two shared schemas, `shared` and `tree`. */
export function externalsCase(features: readonly Feature[]): fc.Arbitrary<Externals> {
  return sharedCase('shared', [TREE], features).map((shared) => ({ shared, [TREE]: tree }))
}

/** Schemas that use `#/definitions/one` and `two`, and shared ones. */
export function schemaCase(
  features: readonly Feature[],
  ids: readonly string[] = ['shared', TREE],
): fc.Arbitrary<Json> {
  return fc
    .tuple(schemaWithin(ids, features), schemaWithin([], features), schemaWithin([], features))
    .map(([schema, one, two]) => ({
      ...schema,
      definitions: {
        ...(features.includes('references') ? definitionsFor(two) : {}),
        one: inObject(one),
        two: inObject(two),
      },
    }))
}

/** In a property, so that a schema that refers to itself ends with the data. */
function inObject(schema: Json): Json {
  return { type: 'object', properties: { p: schema } }
}
