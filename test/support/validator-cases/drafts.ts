/** Specifications other than draft-07, as an application of Fastify 4.21 may ask for them. */
import { createRequire } from 'node:module'
import type { ValidatorCase } from './case.ts'

const require = createRequire(import.meta.url)

interface AjvOfPlugin {
  addVocabulary(vocabulary: unknown): void
  addMetaSchema(schema: unknown): void
}

const vocabulary = (name: string): unknown =>
  (require(`ajv/dist/vocabularies/${name}`) as { default: unknown }).default

/** The keywords of 2019-09 for the class of draft-07. */
function draft2019(ajv: AjvOfPlugin): void {
  for (const name of ['dynamic', 'next', 'unevaluated']) ajv.addVocabulary(vocabulary(name))
}

/** One for each form of JSON Type Definition, RFC 8927. */
const typeDefinitions: readonly unknown[] = [
  {
    properties: {
      a: { type: 'int32' },
      b: { type: 'string' },
      c: { type: 'timestamp', nullable: true },
      d: { type: 'boolean' },
    },
    optionalProperties: {
      e: { enum: ['x', 'y"`'] },
      l: { elements: { type: 'uint8' } },
      v: { values: { type: 'float64' } },
    },
  },
  {
    definitions: {
      node: {
        properties: { v: { type: 'string' } },
        optionalProperties: { next: { ref: 'node' } },
      },
    },
    ref: 'node',
  },
  {
    discriminator: 'k"',
    mapping: {
      a: { properties: { n: { type: 'uint32' } }, additionalProperties: true },
      b: { properties: { s: { type: 'string' } } },
    },
  },
  { elements: { type: 'timestamp' } },
]

const typedValues: readonly unknown[] = [
  { a: 1, b: 'x', c: '2020-01-01T00:00:00Z', d: true, e: 'y"`', l: [1, 300], v: { z: 'x' } },
  { a: '1', b: 1, c: null, d: 'true', e: 'z', more: 1 },
  { a: 2 ** 31, b: 'x', c: '2020-01-01', d: 0, l: ['7'], v: { z: 1 } },
  { v: 'x', next: { v: 1, next: { v: 'y', w: 1 } } },
  { 'k"': 'a', n: -1, z: 1 },
  { 'k"': 'b', s: 'x', z: 1 },
  { 'k"': 'c' },
  { 'k"': 1 },
  ['2020-01-01T00:00:00Z', '2020-12-31T23:59:60Z', '2020-01-01', 'x'],
  5,
]

export const draftCases: readonly ValidatorCase[] = [
  {
    title: '2019-09 by options and vocabularies',
    schema: {
      $id: 'http://x.test/tree',
      $recursiveAnchor: true,
      type: 'object',
      properties: {
        list: { type: 'array', contains: { type: 'integer' }, minContains: 2, maxContains: 3 },
        child: { $recursiveRef: '#' },
      },
      dependentRequired: { list: ['name'] },
      dependentSchemas: { name: { properties: { name: { type: 'string' } } } },
      unevaluatedProperties: false,
    },
    options: {
      customOptions: { next: true, unevaluated: true, dynamicRef: true, strictTypes: false },
      plugins: [draft2019],
    },
    inputs: [
      { list: [1, 2], name: 'x' },
      { list: [1], name: 'x' },
      { list: [1, 2] },
      { child: { list: [1, 2, 3, 4], name: 1 } },
      { child: { extra: 1 } },
      { extra: 1 },
    ],
  },
  ...typeDefinitions.flatMap((schema, i) =>
    [
      {},
      { allErrors: true, coerceTypes: false },
      { parseDate: true, allowDate: true },
      { int32range: false, timestamp: 'string', verbose: true },
    ].map((customOptions) => ({
      title: `JSON Type Definition ${i} with ${JSON.stringify(customOptions)}`,
      schema,
      options: { mode: 'JTD', customOptions },
      inputs: typedValues,
    })),
  ),
]
