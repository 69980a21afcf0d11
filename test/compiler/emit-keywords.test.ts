/** What random schemas do not reach: plugins, references, options of Ajv, and unusual values in schemas. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import { createEmitter, EmitError } from '../../compiler/4-emit/index.ts'
import { compileInProcess, evaluate } from '../../compiler/development.ts'
import type {
  CompiledValidator,
  CompileUnit,
  ValidatorOptions,
} from '../../runtime/artifact/index.ts'
import { compileWithOracle } from '../support/compile-oracle.ts'
import { runWithoutCodegen } from '../support/no-codegen.ts'
import { runValidator } from '../support/outcome.ts'

const require = createRequire(import.meta.url)
const ajvErrors = (require('ajv-errors') as { default: unknown }).default
const ajvMergePatch: unknown = require('ajv-merge-patch')
const ajvFormats = (require('ajv-formats') as { default: unknown }).default
const ajvKeywords = (require('ajv-keywords') as { default: unknown }).default

interface Case {
  readonly title: string
  readonly schema: unknown
  readonly externals?: Record<string, unknown>
  readonly options?: Partial<ValidatorOptions>
  readonly inputs: readonly unknown[]
}

const shared = { $id: 'shared', type: 'object', properties: { p: { type: 'number', maximum: 5 } } }
const tree = {
  $id: 'tree',
  type: 'object',
  required: ['value'],
  properties: { value: { type: 'integer' }, children: { type: 'array', items: { $ref: '#' } } },
}
const ping = {
  $id: 'ping',
  type: 'object',
  properties: { pong: { $ref: 'pong#' }, n: { type: 'integer' } },
}
const pong = {
  $id: 'pong',
  type: 'object',
  properties: { ping: { $ref: 'ping#' }, s: { type: 'string' } },
}

const scalars = [
  '',
  'x',
  '1',
  '1.5',
  'true',
  'null',
  0,
  1,
  -1.5,
  true,
  false,
  null,
  [],
  [1],
  ['a'],
  {},
]

const coercions: Case[] = [
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

const cases: Case[] = [
  ...coercions,
  {
    title: 'a recursive shared schema',
    schema: { type: 'object', properties: { t: { $ref: 'tree#' } } },
    externals: { tree },
    inputs: [
      { t: { value: '1', children: [{ value: 'x' }] } },
      { t: { value: 1, children: [{}] } },
      {},
    ],
  },
  {
    title: 'mutually recursive shared schemas',
    schema: { $ref: 'ping#' },
    externals: { ping, pong },
    inputs: [{ pong: { ping: { n: 'x' } } }, { pong: { ping: { pong: { s: 1 } } } }],
  },
  {
    title: 'an inline schema with the id of a shared one gives way to it',
    schema: { $id: 'shared', type: 'object', properties: { q: { type: 'number' } } },
    externals: { shared },
    inputs: [{ p: 9 }, { p: '3' }, { q: 'x' }],
  },
  {
    title: 'a reference to the root of an inline schema with an id',
    schema: {
      $id: 'self',
      type: 'object',
      properties: { next: { $ref: '#' }, n: { type: 'integer' } },
    },
    inputs: [{ next: { next: { n: 'x' } } }, { next: { n: '4' } }],
  },
  {
    title: 'a URL as id, with a fragment and a nested id',
    schema: { $ref: 'http://x.test/a.json#address' },
    externals: {
      'http://x.test/a.json': {
        $id: 'http://x.test/a.json',
        definitions: { a: { $id: '#address', type: 'object', required: ['zip'] } },
      },
    },
    inputs: [{}, { zip: 1 }],
  },
  {
    title: 'the meta-schema of draft-07',
    schema: { $ref: 'http://json-schema.org/draft-07/schema#' },
    inputs: [{ type: 'object' }, { type: 'nope' }, { properties: { a: { minLength: -1 } } }, true],
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
    title: 'discriminator',
    schema: {
      type: 'object',
      discriminator: { propertyName: 'kind' },
      required: ['kind'],
      oneOf: [
        { properties: { kind: { const: 'a' }, n: { type: 'integer' } }, required: ['n'] },
        { properties: { kind: { enum: ['b', 'c'] }, s: { type: 'string' } }, required: ['s'] },
      ],
    },
    options: { customOptions: { discriminator: true } },
    inputs: [
      { kind: 'a' },
      { kind: 'a', n: '1' },
      { kind: 'b', s: 1 },
      { kind: 'x' },
      { kind: 1 },
      {},
    ],
  },
  {
    title: '$data in numbers, formats, patterns, enums',
    schema: {
      type: 'object',
      properties: {
        low: { type: 'number' },
        high: { type: 'number', minimum: { $data: '1/low' } },
        format: { type: 'string' },
        text: { type: 'string', format: { $data: '1/format' } },
        pattern: { type: 'string' },
        match: { type: 'string', pattern: { $data: '1/pattern' } },
        list: { type: 'array' },
        one: { enum: { $data: '1/list' } },
        same: { const: { $data: '1/low' } },
      },
    },
    options: { customOptions: { $data: true, formats: { own: /^own$/, text: '^t' } } },
    inputs: [
      { low: 3, high: 2 },
      { low: 3, high: 4, same: 3 },
      { format: 'email', text: 'a@b.co' },
      { format: 'email', text: 'no' },
      { format: 'own', text: 'own' },
      { format: 'text', text: 'x' },
      { format: 'password', text: 'x' },
      { format: 'unknown', text: 'x' },
      { format: 'date', text: '2024-13-01' },
      { pattern: '^a', match: 'b' },
      { list: [{ a: 1 }], one: { a: 1 } },
      { list: [1], one: 2 },
    ],
  },
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
  {
    title: 'long enums and long lists of required properties',
    schema: {
      type: 'object',
      properties: { e: { enum: Array.from({ length: 250 }, (_, i) => `v${i}`) } },
      required: Array.from({ length: 201 }, (_, i) => `k${i}`),
    },
    options: { customOptions: { allErrors: true } },
    inputs: [{ e: 'v249' }, { e: 'w' }],
  },
  {
    title: 'verbose errors with whole schemas in them',
    schema: {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'integer', minimum: 3 } } } },
      required: ['z'],
    },
    options: { customOptions: { verbose: true, allErrors: true } },
    inputs: [{ a: { b: 1 } }, { a: { b: 'x' }, z: 1 }],
  },
  { title: 'the schema true', schema: true, inputs: scalars },
  { title: 'the schema false', schema: false, inputs: scalars },
  {
    title: 'options of the code itself',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', minLength: 2 }, b: { enum: [{ x: 1 }] } },
    },
    options: { customOptions: { code: { es5: true, lines: true, optimize: 2 } } },
    inputs: [{ a: 'x' }, { b: { x: 1 } }, { b: 1 }],
  },
  {
    title: 'unevaluated properties and items',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' } },
      allOf: [{ properties: { b: true } }],
    },
    options: { customOptions: { unevaluated: true } },
    inputs: [{ a: 1, b: 2, c: 3 }, { a: 'x' }],
  },
]

const emitter = createEmitter()
const units = new Map(cases.map((entry) => [entry.title, unitOf(entry)]))

for (const { title, inputs } of cases) {
  test(title, () => {
    const unit = units.get(title) as CompileUnit
    const oracle = compileWithOracle(unit) as CompiledValidator
    const ours = evaluate({ ...emitter.emit(unit), liveValues: [] }) as CompiledValidator
    assert.equal(ours.errors, null)
    for (const input of inputs) {
      const expected = runValidator(oracle, input)
      assert.deepEqual(runValidator(ours, input), expected)
      assert.equal(JSON.stringify(ours.errors), JSON.stringify(oracle.errors))
    }
  })
}

test('all of it gives the same where code generation is refused', () => {
  const jobs = cases.map(({ title, inputs }) => {
    const unit = units.get(title) as CompileUnit
    return { kind: unit.kind, emitted: emitter.emit(unit), inputs }
  })
  const expected = cases.map(({ title, inputs }) => {
    const oracle = compileWithOracle(units.get(title) as CompileUnit) as CompiledValidator
    return inputs.map((input) => runValidator(oracle, input))
  })
  assert.deepEqual(runWithoutCodegen(jobs), expected)
})

test('an asynchronous validator resolves and rejects as in process', async () => {
  const unit = units.get('an asynchronous schema') as CompileUnit
  const oracle = compileWithOracle(unit)
  const ours = compileInProcess(unit)
  assert.deepEqual(await ours({ a: '1' }), await oracle({ a: '1' }))
  const failures = await Promise.all(
    [oracle, ours].map((validate) =>
      (validate({}) as unknown as Promise<unknown>).catch((e: unknown) => e),
    ),
  )
  const [expected, actual] = failures.map((e) => ({ ...(e as object), text: String(e) }))
  assert.deepEqual(actual, expected)
})

test('what Ajv refuses in process is refused with the same words', () => {
  const refused: Case[] = [
    { title: '', schema: { type: 'object', foo: 1 }, inputs: [] },
    { title: '', schema: { type: 'string', format: 'nope' }, inputs: [] },
    { title: '', schema: { $ref: 'nope#' }, inputs: [] },
    { title: '', schema: { type: 'object', properties: { n: { $ref: '#' } } }, inputs: [] },
    { title: '', schema: { type: 'nope' }, inputs: [] },
    { title: '', schema: { $schema: 'https://json-schema.org/draft/2020-12/schema' }, inputs: [] },
    { title: '', schema: null, inputs: [] },
    { title: '', schema: { type: 'object', properties: { a: { default: 10n } } }, inputs: [] },
    { title: '', schema: { $ref: 'x#' }, externals: { x: { $id: 'x', type: 1 } }, inputs: [] },
    { title: '', schema: { type: 'string', pattern: '(' }, inputs: [] },
  ]
  for (const entry of refused) {
    const unit = unitOf(entry)
    let message: string | undefined
    try {
      compileWithOracle(unit)
    } catch (error) {
      message = (error as Error).message
    }
    assert.ok(message !== undefined)
    assert.throws(
      () => emitter.emit(unit),
      (error) => error instanceof EmitError && error.message === message,
    )
  }
})

function unitOf({ schema, externals = {}, options = {} }: Case): CompileUnit {
  const { customOptions = {}, plugins = [] } = options
  return { kind: 'validator', digest: '', schema, externals, options: { customOptions, plugins } }
}
