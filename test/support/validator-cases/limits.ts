/** Values at limits, where code that skips a check could be wrong, and all kinds of references to one object. */
import type { ValidatorCase } from './case.ts'

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

const LIMITS = [0, -5, 1.5, 1e21, -1e-7] as const
const numbers = LIMITS.flatMap((one) => [one, one - 1, one + 1, -one, String(one)])
const limits: ValidatorCase[] = [true, false].flatMap((strictNumbers) =>
  ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => ({
    title: `${keyword}${strictNumbers ? '' : ' of what need not be finite'}`,
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        LIMITS.map((limit, i) => [`p${i}`, { type: 'number', [keyword]: limit }]),
      ),
      patternProperties: { '^any': { [keyword]: 0 } },
    },
    options: { customOptions: { strictNumbers } },
    inputs: [
      ...LIMITS.flatMap((_, i) => numbers.map((value) => ({ [`p${i}`]: value }))),
      ...[NaN, Infinity, -Infinity, 'x', null, 1].flatMap((value) => [
        { p0: value },
        { any: value },
      ]),
    ],
  })),
)

const text = { type: 'string', minLength: 1, maxLength: 40, pattern: '^[a-z]+$' }
/** Long enough not to be copied to each place. */
const link = {
  $id: 'link',
  type: 'object',
  required: ['to'],
  properties: {
    to: text,
    title: text,
    alone: { $ref: '#' },
    choice: { anyOf: [{ type: 'integer' }, { $ref: '#' }] },
    list: { type: 'array', items: { $ref: 'link#' } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword
    one: { if: { $ref: '#' }, then: { $ref: 'link#' }, else: { type: 'boolean' } },
  },
}
const broken = { to: 'a', list: [{ to: 'b' }, { to: 'B' }] }
const links = [
  { to: 'a' },
  {},
  'x',
  null,
  broken,
  { to: 'a', alone: broken },
  { to: 'a', choice: broken },
  { to: 'a', choice: '7', one: { to: 'c' } },
  { to: 'a', one: broken },
  { to: 'a', list: { to: 'b', title: 5 } },
  { to: 'a', list: [{ to: 'b', choice: { to: 'c', list: [{}] } }] },
]
const schemas: Readonly<Record<string, object>> = {
  'in its place': { type: 'object', properties: { a: { $ref: 'link#' } } },
  'in a choice and in its place': {
    type: 'object',
    properties: { a: { anyOf: [{ $ref: 'link#' }, { type: 'null' }] }, b: { $ref: 'link#' } },
  },
  'beside what ends a template': {
    type: 'object',
    properties: { a: { $ref: 'link#' }, '`${b}': { $ref: 'link#' } },
  },
  'twice for one value': { allOf: [{ $ref: 'link#' }, { $ref: 'link#' }] },
}
const references: ValidatorCase[] = Object.entries(schemas).map(([where, schema]) => ({
  title: `an object that refers to itself in all ways, ${where}`,
  schema,
  externals: { link },
  inputs: links.flatMap((value) => [{ a: value }, { b: value }, { '`${b}': value }, value]),
}))

export const limitCases: readonly ValidatorCase[] = [...lengths, ...limits, ...references]
