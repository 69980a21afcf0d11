/** Keywords beyond draft-07 for random schemas, by the features that an option set turns on. */
import fc from 'fast-check'
import { KEYS, PLAIN } from './random-parts.ts'
import { TEXTS } from './random-values.ts'

type Json = Record<string, unknown>
type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** Families of keywords that only some instances of Ajv know. */
export type Feature =
  | '$data'
  | 'ajv-errors'
  | 'ajv-keywords'
  | 'ajv-merge-patch'
  | 'discriminator'
  | 'user-functions'
  | 'draft-2019'
  | 'draft-2020'
  /** References to nested schemas, and to schemas with an `$id` inside of a schema. */
  | 'references'

const POINTERS: readonly string[] =
  '1/a 1/b 2/c 2/a 3/b /a /b/c /b/0 0 0# 1# 2# 1/a~1b~0c 1/__proto__ 0/a 1/constructor'.split(' ')

/** Keywords by the type of value that they are for. */
export interface Keywords {
  readonly text: Fields
  readonly numeric: Fields
  readonly array: Fields
  readonly object: Fields
  /** Whole schemas of other forms. */
  readonly schemas: readonly fc.Arbitrary<Json>[]
}

const key = fc.constantFrom(...KEYS)
const names = fc.uniqueArray(key, { maxLength: 3 })
const message = fc.constantFrom(
  'no',
  'is ${/a}, not ${0}',
  '"`${x}\\',
  '*/</script>\u2028',
  '__proto__',
)

/** @param sub any schema */
export function keywordsFor(
  features: readonly Feature[],
  sub: fc.Arbitrary<Json | boolean>,
): Keywords {
  const families = features.map((feature) => byFeature[feature](sub))
  const join = (part: 'text' | 'numeric' | 'array' | 'object'): Fields =>
    Object.assign({}, ...families.map((family) => family[part] ?? {})) as Fields
  return {
    text: join('text'),
    numeric: join('numeric'),
    array: join('array'),
    object: join('object'),
    schemas: families.flatMap((family) => family.schemas ?? []),
  }
}

const byFeature: Readonly<
  Record<Feature, (sub: fc.Arbitrary<Json | boolean>) => Partial<Keywords>>
> = {
  $data: () => {
    const data = fc.constantFrom(...POINTERS, '1/a b', '').map(($data) => ({ $data }))
    const all = (...keywords: string[]): Fields =>
      Object.fromEntries(keywords.map((keyword) => [keyword, data]))
    return {
      text: all('minLength', 'maxLength', 'pattern', 'format', 'const', 'enum', 'formatMaximum'),
      numeric: all('minimum', 'exclusiveMaximum', 'multipleOf', 'const', 'enum', 'format'),
      array: all('minItems', 'maxItems', 'uniqueItems'),
      object: all('required', 'minProperties', 'maxProperties'),
    }
  },
  'ajv-errors': () => {
    const texts = fc.dictionary(key, message, { maxKeys: 2, ...PLAIN })
    const forKeywords = (...keywords: string[]): fc.Arbitrary<unknown> =>
      fc.oneof(
        message,
        fc.dictionary(fc.constantFrom('type', '_', ...keywords), message, { maxKeys: 3, ...PLAIN }),
      )
    return {
      text: { errorMessage: forKeywords('minLength', 'pattern', 'format', 'enum') },
      numeric: { errorMessage: forKeywords('minimum', 'maximum', 'multipleOf') },
      array: {
        errorMessage: fc.oneof(
          forKeywords('items', 'minItems'),
          texts.map((items) => ({ items: Object.values(items) })),
        ),
      },
      object: {
        errorMessage: fc.oneof(
          forKeywords('required', 'additionalProperties'),
          texts.map((properties) => ({ properties })),
          texts.map((required) => ({ required, _: 'other' })),
        ),
      },
    }
  },
  'ajv-keywords': () => ({
    text: {
      transform: fc.uniqueArray(
        fc.constantFrom('trim', 'trimStart', 'trimEnd', 'toLowerCase', 'toUpperCase', 'toEnumCase'),
        { minLength: 1, maxLength: 2 },
      ),
      regexp: fc.constantFrom('/^a/i', '/b$/', { pattern: '^"', flags: 'u' }),
    },
    numeric: {
      range: fc.constantFrom([1, 3], [0, 10]),
      exclusiveRange: fc.constantFrom([1, 3], [-1, 2]),
    },
    array: {
      instanceof: fc.constantFrom('Array', ['Array', 'Date'], 'Object'),
      uniqueItemProperties: fc.uniqueArray(key, { minLength: 1, maxLength: 2 }),
    },
    object: {
      anyRequired: names,
      oneRequired: names,
      prohibited: names,
      allRequired: fc.boolean(),
      patternRequired: fc.constantFrom(['^a'], ['^x', 'b$']),
      deepRequired: fc.constantFrom(['/a'], ['/a/b', '/c']),
      deepProperties: fc.constantFrom({ '/a': { type: 'number' } }, { '/a/b': { const: 1 } }),
      instanceof: fc.constantFrom('Object', ['Date', 'Array']),
    },
    schemas: [
      fc.constantFrom('number', ['string', 'object'], 'undefined').map((t) => ({ typeof: t })),
    ],
  }),
  'ajv-merge-patch': (sub) => ({
    schemas: [
      fc.tuple(sub, sub).map(([source, other]) => ({ $merge: { source, with: other } })),
      sub.map((value) => ({
        $patch: {
          source: { $ref: 'shared#' },
          with: [{ op: 'add', path: '/properties/q', value }],
        },
      })),
    ],
  }),
  discriminator: (sub) => ({
    schemas: [
      sub.map((other) => ({
        type: 'object',
        discriminator: { propertyName: 'a' },
        required: ['a'],
        oneOf: [
          { $ref: '#/definitions/tagged' },
          { properties: { a: { enum: ['b', 'ab'] }, x1: other } },
        ],
      })),
      fc.tuple(key, sub, sub).map(([propertyName, one, other]) => ({
        type: 'object',
        discriminator: { propertyName },
        required: [propertyName],
        oneOf: [
          { properties: { z: one, [propertyName]: { const: 'a' } } },
          { properties: { [propertyName]: { enum: ['ab', '"`${'] }, z: other }, required: ['z'] },
        ],
      })),
    ],
  }),
  'user-functions': () => ({
    text: {
      format: fc.constantFrom('even', 'ordered', 'email', 'date'),
      upper: fc.constant(true),
      withErrors: fc.constantFrom(...TEXTS),
    },
    numeric: {
      format: fc.constantFrom('odd "number"', 'int32'),
      divisible: fc.constantFrom(1, 2, 3),
      between: fc.constantFrom([0, 1], [1, 5]),
      strictly: fc.boolean(),
      small: fc.constantFrom(1, 5),
    },
  }),
  references: () => ({}),
  'draft-2019': (sub) => ({ ...nextKeywords(sub), schemas: [fc.constant({ $recursiveRef: '#' })] }),
  'draft-2020': (sub) => ({
    ...nextKeywords(sub),
    array: {
      ...nextKeywords(sub).array,
      items: sub,
      prefixItems: fc.array(sub, { minLength: 1, maxLength: 3 }),
    },
    schemas: [
      fc.constant({ $dynamicRef: '#node' }),
      sub.map((inner) => ({
        type: 'object',
        $dynamicAnchor: 'node',
        properties: { a: inner, b: { $dynamicRef: '#node' } },
      })),
    ],
  }),
}

function nextKeywords(sub: fc.Arbitrary<Json | boolean>): Pick<Keywords, 'array' | 'object'> {
  const size = fc.nat({ max: 3 })
  return {
    array: {
      contains: sub,
      minContains: size,
      maxContains: size,
      unevaluatedItems: sub,
      allOf: fc.array(fc.record({ contains: sub, type: fc.constant('array') }, PLAIN), {
        minLength: 1,
        maxLength: 2,
      }),
    },
    object: {
      dependentRequired: fc.dictionary(key, names, { maxKeys: 2, ...PLAIN }),
      dependentSchemas: fc.dictionary(key, sub, { maxKeys: 2, ...PLAIN }),
      unevaluatedProperties: sub,
      anyOf: fc.array(
        fc.record(
          {
            type: fc.constant('object'),
            properties: fc.dictionary(key, sub, { maxKeys: 2, ...PLAIN }),
          },
          PLAIN,
        ),
        { minLength: 1, maxLength: 2 },
      ),
    },
  }
}
