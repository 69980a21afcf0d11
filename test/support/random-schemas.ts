/** Arbitrary JSON schemas over all keywords of draft-07, for fast-check. */
import fc from 'fast-check'
import { TEXTS } from './random-values.ts'

type Json = Record<string, unknown>

/** Names that would be trouble if they became code. */
export const KEYS: readonly string[] = [
  'a',
  'b',
  'c',
  'name',
  'x1',
  'a b',
  'a"b',
  "a'b",
  'a`${b}',
  'a\\b',
  'a/b~c',
  'a\nb',
  'a\u2028b',
  '*/',
  '</script>',
  'constructor',
  '__proto__',
  '\ud800',
  'é',
]

const PATTERNS = ['^a', '^[a-z]+$', '\\d', 'b$', '^.{1,3}$', '\\p{L}', '/', '"', '^x']

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

/** A schema with `definitions`, and the shared schemas that it may refer to. */
export interface SchemaCase {
  readonly schema: Json
  readonly externals: Readonly<Record<string, unknown>>
}

/** A prototype of `null` would not survive the way to another process. */
const PLAIN = { noNullPrototype: true } as const

const key = fc.constantFrom(...KEYS)
const size = fc.nat({ max: 4 })
const limit = fc.constantFrom(0, 1, 2, 3, 5, 1.5, -1, 10)
const scalar = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS),
  fc.constantFrom<unknown>(0, 1, -1, 1.5, 2, 10),
  fc.constantFrom<unknown>(true, false, null),
)
const plainValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.dictionary(key, scalar, { maxKeys: 2, ...PLAIN }) },
)

/** A record whose fields are all optional and mostly absent. */
function some(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> {
  const names = Object.keys(fields)
  return fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: Math.min(3, names.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, fields[name]])) as never, PLAIN),
    ) as fc.Arbitrary<Json>
}

function typed(type: string, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> {
  return some({ ...fields, default: plainValue }).map((rest) => ({ type, ...rest }))
}

/** @param ids shared schemas that a `$ref` may name */
function schemaWithin(ids: readonly string[]): fc.Arbitrary<Json> {
  const { schema } = fc.letrec<{ schema: Json | boolean }>((tie) => {
    const sub = tie('schema')
    const subs = fc.array(sub, { minLength: 1, maxLength: 3 })
    const map = fc.dictionary(key, sub, { maxKeys: 3, ...PLAIN })
    const names = fc.uniqueArray(key, { maxLength: 3 })
    const text = typed('string', {
      minLength: size,
      maxLength: size,
      pattern: fc.constantFrom(...PATTERNS),
      format: fc.constantFrom(...FORMATS),
      enum: fc.uniqueArray(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 4 }),
    })
    const numeric = {
      minimum: limit,
      maximum: limit,
      exclusiveMinimum: limit,
      exclusiveMaximum: limit,
      multipleOf: fc.constantFrom(1, 2, 0.5, 0.1),
      format: fc.constantFrom(...NUMBER_FORMATS),
      nullable: fc.boolean(),
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
        }),
      )
      .map(([properties, rest]) => ({ type: 'object', properties, ...rest }))
    const union = fc
      .uniqueArray(
        fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array'),
        {
          minLength: 1,
          maxLength: 3,
        },
      )
      .map((type) => ({ type }))
    const reference = fc
      .constantFrom(
        '#/definitions/one',
        '#/definitions/two',
        ...ids.flatMap((id) => [`${id}#`, `${id}#/definitions/in`]),
      )
      .map(($ref) => ({ $ref }))
    const combination = some({ allOf: subs, anyOf: subs, oneOf: subs, not: sub }).chain((schema) =>
      fc.constantFrom(schema, { type: 'object', ...schema }),
    )
    // oxlint-disable-next-line no-thenable -- the keyword
    const condition = fc.record({ if: sub, then: sub, else: sub }, PLAIN)
    return {
      schema: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        { weight: 3, arbitrary: text },
        { weight: 2, arbitrary: typed('number', numeric) },
        { weight: 2, arbitrary: typed('integer', numeric) },
        { weight: 1, arbitrary: typed('boolean', { nullable: fc.boolean() }) },
        { weight: 1, arbitrary: fc.constant({ type: 'null' }) },
        { weight: 1, arbitrary: union },
        {
          weight: 1,
          arbitrary: fc.record(
            {
              enum: fc.uniqueArray(plainValue, {
                minLength: 1,
                maxLength: 3,
                selector: (v) => JSON.stringify(v),
              }),
            },
            PLAIN,
          ),
        },
        { weight: 1, arbitrary: fc.record({ const: plainValue }, PLAIN) },
        { weight: 1, arbitrary: fc.boolean() },
        { weight: 2, arbitrary: reference },
        { weight: 6, arbitrary: object },
        { weight: 3, arbitrary: array },
        { weight: 2, arbitrary: combination },
        { weight: 1, arbitrary: condition },
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

/** Schemas that use `#/definitions/one` and `two`, and two shared ones, `shared` and a recursive `tree`. */
export const schemaCase: fc.Arbitrary<SchemaCase> = fc
  .tuple(
    schemaWithin(['shared', 'http://x.test/tree']),
    schemaWithin([]),
    schemaWithin([]),
    schemaWithin(['http://x.test/tree']),
  )
  .map(([schema, one, two, inner]) => ({
    schema: { ...schema, definitions: { one: inObject(one), two: inObject(two) } },
    externals: {
      shared: {
        $id: 'shared',
        type: 'object',
        properties: { s: { type: 'string', default: 'd' }, t: { $ref: 'http://x.test/tree#' } },
        definitions: { in: inObject(inner), one: { type: 'number' }, two: { type: 'string' } },
      },
      'http://x.test/tree': {
        $id: 'http://x.test/tree',
        type: 'object',
        properties: { k: { type: 'array', items: { $ref: '#' } }, v: { type: 'integer' } },
        definitions: { in: { type: 'boolean' } },
      },
    },
  }))

/** In a property, so that a schema that refers to itself ends with the data. */
function inObject(schema: Json): Json {
  return { type: 'object', properties: { p: schema } }
}
