/** Formats, plugins and keywords that an application adds to Ajv. */
import { createRequire } from 'node:module'
import type { ValidatorCase } from './case.ts'

const require = createRequire(import.meta.url)
const ajvErrors = (require('ajv-errors') as { default: unknown }).default
const { ajvFilePlugin } = require('@fastify/multipart') as { ajvFilePlugin: unknown }

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
    title: 'isFile of @fastify/multipart',
    schema: {
      type: 'object',
      properties: { a: { isFile: true }, b: { type: 'array', items: { isFile: true } } },
    },
    options: { plugins: [ajvFilePlugin] },
    inputs: [{ a: { file: {} } }, { a: {} }, { a: 'x' }, { b: [{ file: 1 }, { file: 0 }] }],
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
]
