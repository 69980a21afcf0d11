/** Formats, plugins and keywords that an application adds to Ajv. */
import { createRequire } from 'node:module'
import { shared, type ValidatorCase } from './case.ts'

const require = createRequire(import.meta.url)
const ajvErrors = (require('ajv-errors') as { default: unknown }).default
const { ajvFilePlugin } = require('@fastify/multipart') as { ajvFilePlugin: unknown }
const ajvMergePatch: unknown = require('ajv-merge-patch')
const ajvFormats = (require('ajv-formats') as { default: unknown }).default
const ajvKeywords = (require('ajv-keywords') as { default: unknown }).default

export const extensionCases: readonly ValidatorCase[] = [
  {
    title: 'formats as expressions and as strings, one of them in place of a built-in one',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'string', format: 'isbn' },
        b: { type: 'string', format: 'word' },
        c: { type: 'string', format: 'email' },
      },
    },
    options: { customOptions: { formats: { isbn: /^\d{3}"`\$\{x\}\/\u2028$/iu, word: '^\\w+$' } } },
    inputs: [{ a: '123"`${x}/\u2028' }, { a: '12' }, { b: 'ab' }, { b: 'a b' }, { c: 'x' }],
  },
  {
    title: 'an overridden built-in format',
    schema: { type: 'string', format: 'email' },
    options: {
      plugins: [
        (ajv: { addFormat(n: string, f: unknown): void }) => ajv.addFormat('email', /^me$/),
      ],
    },
    inputs: ['me', 'a@b.co'],
  },
  {
    title: 'ajv-formats in fast mode',
    schema: {
      type: 'object',
      properties: {
        d: { type: 'string', format: 'date' },
        e: { type: 'string', format: 'email' },
        t: { type: 'string', format: 'time' },
        x: { type: 'string', format: 'date-time', formatMinimum: '2024-01-01T00:00:00Z' },
        u: { type: 'string', format: 'uri' },
        r: { type: 'string', format: 'uri-reference' },
        i: { type: 'integer', format: 'int32' },
      },
    },
    options: { plugins: [[ajvFormats, { mode: 'fast', keywords: true }]] },
    inputs: [
      { d: '2024-19-39' },
      { d: '2024-1-1' },
      { e: 'a.b@c' },
      { t: '29:00:00' },
      { x: '2023-12-31T00:00:00Z' },
      { x: '2024-12-31T00:00:00Z' },
      { u: 'a:b c' },
      { r: ' ' },
      { i: 2 ** 40 },
    ],
  },
  {
    title: 'formatMinimum and its kin',
    schema: {
      type: 'object',
      properties: {
        d: {
          type: 'string',
          format: 'date',
          formatMinimum: '2024-01-01',
          formatExclusiveMaximum: '2025-01-01',
        },
        t: { type: 'string', format: 'time', formatMaximum: '12:00:00' },
      },
    },
    inputs: [
      { d: '2024-01-01' },
      { d: '2023-12-31' },
      { d: '2025-01-01' },
      { t: '12:00:01' },
      { t: '11:00:00' },
    ],
  },
  {
    title: 'isFile of @fastify/multipart',
    schema: {
      type: 'object',
      properties: { a: { isFile: true }, b: { type: 'array', items: { isFile: true } } },
    },
    options: { plugins: [ajvFilePlugin] },
    inputs: [{ a: { file: {} } }, { a: {} }, { a: 'x' }, { b: [{ file: 1 }, { file: 0 }] }],
  },
  {
    title: 'ajv-errors',
    schema: {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'integer', minimum: 2 },
        b: { type: 'string', errorMessage: 'b "wrong" ${0}' },
      },
      additionalProperties: false,
      errorMessage: {
        required: { a: 'give `a`' },
        properties: { a: 'a is ${/a} */ </script>' },
        _: 'something else',
      },
    },
    options: { customOptions: { allErrors: true }, plugins: [[ajvErrors, { singleError: false }]] },
    inputs: [{}, { a: 1 }, { a: 3 }, { a: 'x', b: [1, 2], c: 1 }, 5],
  },
  {
    title: 'ajv-errors, which takes a member that all objects inherit for one with a message',
    schema: {
      type: 'object',
      properties: { constructor: { type: 'string' } },
      errorMessage: { properties: { a: 'no' } },
    },
    options: { customOptions: { allErrors: true }, plugins: [ajvErrors] },
    inputs: [{ a: 1 }, { constructor: [] }],
  },
  {
    title: 'ajv-merge-patch: $merge',
    schema: {
      $merge: {
        source: {
          type: 'object',
          properties: { p: { type: 'string' } },
          additionalProperties: false,
        },
        with: { properties: { q: { type: 'number' } } },
      },
    },
    options: { plugins: [ajvMergePatch] },
    inputs: [
      { p: 'x', q: 'y' },
      { p: 'x', q: '1', r: 1 },
    ],
  },
  {
    title: 'ajv-merge-patch: $merge and $patch with $ref',
    schema: {
      type: 'object',
      properties: {
        m: {
          $merge: { source: { $ref: 'shared#' }, with: { properties: { q: { type: 'integer' } } } },
        },
        n: {
          $patch: {
            source: { $ref: 'shared#' },
            with: [{ op: 'add', path: '/properties/q', value: { type: 'boolean' } }],
          },
        },
      },
    },
    externals: { shared },
    options: { plugins: [ajvMergePatch] },
    inputs: [
      { m: { p: 9 } },
      { m: { p: 1, q: 'x' } },
      { n: { q: 'maybe' } },
      { n: { p: 1, q: 'true' } },
    ],
  },
  {
    title: 'the keywords of ajv-keywords that are code',
    schema: {
      type: 'object',
      properties: {
        t: { typeof: 'number' },
        r: { type: 'integer', range: [1, 3] },
        e: { type: 'number', exclusiveRange: [1, 3] },
        x: { type: 'string', regexp: '/^a"`/i' },
      },
      anyRequired: ['t', 'r', 'q'],
      prohibited: ['bad'],
      patternRequired: ['^[a-z]$'],
    },
    options: {
      plugins: [
        [
          ajvKeywords,
          [
            'typeof',
            'range',
            'exclusiveRange',
            'regexp',
            'anyRequired',
            'prohibited',
            'patternRequired',
          ],
        ],
      ],
    },
    inputs: [
      {},
      { t: 'x' },
      { r: 4 },
      { r: 2 },
      { e: 3, t: 1 },
      { x: 'A"`', t: 1 },
      { x: 'b', t: 1 },
      { bad: 1, t: 1 },
    ],
  },
]
