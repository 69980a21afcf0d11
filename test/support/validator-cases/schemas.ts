/** References, coercion, lengths and unusual values in schemas. */
import { scalars, shared, type ValidatorCase } from './case.ts'

/** Names are strings, and Ajv's variable for them is a constant: what cannot be converted is not assigned to it. */
const names: ValidatorCase[] = ['boolean', 'number', 'null', 'array'].map((type) => ({
  title: `names of properties that are to be of type ${type}`,
  schema: { type: 'object', propertyNames: { type } },
  inputs: [{}, { abc: 1 }, { abc: 1, def: 2 }],
}))

const coercions: ValidatorCase[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'array',
  'object',
].flatMap((type) =>
  (['array', true, false] as const).map((coerceTypes) => ({
    title: `coercion to ${type} with ${coerceTypes}`,
    schema: {
      type: 'object',
      properties: {
        v: { type },
        n: { type: type === 'null' ? [type] : [type, 'null'] },
        l: { type: 'array', items: { type } },
      },
    },
    options: { customOptions: { coerceTypes, allowUnionTypes: true } },
    inputs: [
      ...scalars.map((v) => ({ v })),
      ...scalars.flatMap((n) => [{ n }, { n: [n] }, { v: [n] }]),
      { l: scalars },
      ...scalars,
    ],
  })),
)

/** Characters of one and of two code units, and halves of the latter. */
const PIECES = ['a', 'ß', '\u{1f600}', '\ud83d', '\ude00'] as const

const texts = PIECES.flatMap((one) =>
  PIECES.flatMap((other) => Array.from({ length: 7 }, (_, i) => one.repeat(i) + other.repeat(2))),
)
const lengths: ValidatorCase[] = [0, 1, 2, 5].flatMap((limit) =>
  ['minLength', 'maxLength'].map((keyword) => ({
    title: `${keyword} ${limit} of characters with one code unit or two`,
    schema: { type: 'string', [keyword]: limit },
    inputs: ['', ...texts],
  })),
)

export const schemaCases: readonly ValidatorCase[] = [
  ...coercions,
  ...lengths,
  ...names,
  {
    title: 'a list without items, of which Ajv does not check what follows its tuple',
    schema: {
      type: 'array',
      items: { type: 'array', items: [{ type: 'string' }], contains: true, minItems: 0 },
    },
    options: { customOptions: { strictTuples: false } },
    inputs: [[[], []], [[1], []], [[], [1], []], []],
  },
  {
    title: 'an inline schema with the id of a shared one gives way to it',
    schema: { $id: 'shared', type: 'object', properties: { q: { type: 'number' } } },
    externals: { shared },
    inputs: [{ p: 9 }, { p: '3' }, { q: 'x' }],
  },
  {
    title: 'the meta-schema of draft-07, spelt otherwise, from a shared schema',
    schema: { type: 'object', properties: { own: { $ref: 'holder#' } } },
    externals: {
      holder: {
        $id: 'holder',
        type: 'object',
        properties: { schema: { $ref: 'HTTP://JSON-Schema.org/draft-07/%73chema#' } },
      },
    },
    inputs: [{ own: { schema: { minLength: 5 } } }, { own: { schema: { minLength: '5' } } }],
  },
  {
    title: 'an asynchronous schema',
    schema: {
      $async: true,
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer' } },
    },
    inputs: [],
  },
  {
    title: 'defaults that JSON changes',
    schema: {
      type: 'object',
      properties: {
        d: { default: new Date(0) },
        n: { default: Number.NaN },
        o: { type: 'object', default: { a: [1, undefined] } },
        s: { type: 'string', default: '\u2028</script>`${x}`\ud800' },
      },
    },
    options: { customOptions: { strictTypes: false } },
    inputs: [{}],
  },
  {
    title: 'enum and const of objects, with a property called __proto__',
    schema: {
      type: 'object',
      properties: {
        e: { enum: [JSON.parse('{"__proto__":1}'), { a: [1, { b: null }] }, 1, 'x'] },
        c: { const: JSON.parse('{"__proto__":{"a":1}}') },
        d: { enum: [new Date(5)] },
        n: { enum: [Number.NaN, -0] },
      },
    },
    inputs: [
      { e: JSON.parse('{"__proto__":1}') },
      { e: {} },
      { e: { a: [1, { b: null }] } },
      { c: JSON.parse('{"__proto__":{"a":1}}') },
      { c: {} },
      { d: new Date(5) },
      { d: new Date(6) },
      { n: Number.NaN },
      { n: 0 },
    ],
  },
]
