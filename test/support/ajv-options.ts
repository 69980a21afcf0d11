/** Every option of Ajv, by its own type definitions, with values that an application may give it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ValidatorOptions } from '../../runtime/artifact/index.ts'
import { object } from './request-schemas.ts'
import * as functions from './user-functions.ts'

type Json = Record<string, unknown>

/** A value of one option. */
export interface OptionCase {
  readonly customOptions: Json
  readonly mode?: ValidatorOptions['mode']
  /** Schemas besides those that every case is tested with. */
  readonly schemas?: readonly SchemaSample[]
  /** Matches the message if builds refuse the value. */
  readonly refused?: RegExp
}

export interface SchemaSample {
  readonly schema: unknown
  readonly inputs: readonly unknown[]
}

const require = createRequire(import.meta.url)

/** The interfaces of `ajv/dist/core.d.ts` that list options; `code` has options of its own. */
const INTERFACES = ['CurrentOptions', 'DeprecatedOptions', 'CodeOptions'] as const

/** Names as the installed version of Ajv declares them; those of `code` as `code.lines`. */
export function declaredOptions(): string[] {
  const file = require.resolve('ajv/dist/core.js').replace(/js$/, 'd.ts')
  const text = readFileSync(file, 'utf8')
  return INTERFACES.flatMap((name) => {
    const [, body = ''] = new RegExp(`interface ${name} \\{([^]*?)\\n\\}`).exec(text) ?? []
    const names = [...body.matchAll(/^ {4}(\$?\w+)\?:/gm)].map(([, option]) => String(option))
    if (names.length === 0) throw new Error(`Ajv declares no ${name}`)
    return names.map((option) => (name === 'CodeOptions' ? `code.${option}` : option))
  })
}

/** The schemas that each option is tested with. They use everything that an option may affect. */
export const commonSchemas: readonly SchemaSample[] = [
  {
    schema: object(
      {
        n: { type: 'integer', minimum: 2, maximum: 9, multipleOf: 3, default: 6 },
        f: { type: 'number', multipleOf: 0.1 },
        s: { type: 'string', minLength: 2, maxLength: 4, pattern: '^.\\S*$', default: 'ab' },
        u: { type: 'string', pattern: '^[\\u{61}-z]{2}$', nullable: true },
        e: { enum: ['a', 1, null, { k: [1] }] },
        c: { const: { a: 1 } },
        d: { type: 'string', format: 'date' },
        w: { type: 'array', items: { type: 'boolean' }, minItems: 1, uniqueItems: true },
        t: {
          type: 'array',
          items: [{ type: 'string' }, { type: 'null' }],
          minItems: 2,
          additionalItems: false,
        },
        o: object(
          { x: { type: 'number' }, toString: { type: 'string' } },
          { required: ['x', 'toString'], additionalProperties: false },
        ),
        r: { $ref: 'shared#' },
        q: { $ref: '#/definitions/q' },
      },
      {
        required: ['n', 'o'],
        propertyNames: { maxLength: 10 },
        definitions: { q: { type: 'array', items: { $ref: '#/definitions/q' } } },
      },
    ),
    inputs: [
      {},
      { n: '3', o: { x: '1', toString: 'y', z: 1 } },
      { n: 3.5, o: {}, s: '', w: 'true' },
      { n: 10, o: { x: null }, s: '😀', u: '😀', f: 0.3 },
      { n: 3, o: { x: 1, toString: 1 }, u: null, f: 0.25, e: { k: [1] }, c: { a: 1 } },
      { n: Number.NaN, o: [], e: 'b', c: {}, d: '2023-02-29', w: [1, true], t: ['a'] },
      { n: 6, o: { x: Infinity, toString: '' }, t: [1, null, 2], q: [[], [1]], r: { p: 1 } },
      { n: 6, o: { x: 1, toString: '' }, d: 5, r: { p: 'x', more: 1 }, q: [[[]]] },
      5,
      'text',
      null,
      [],
    ],
  },
  {
    schema: {
      type: 'object',
      anyOf: [
        { properties: { k: { const: 'a' }, v: { type: 'number', default: 1 } }, required: ['k'] },
        { properties: { k: { const: 'b' } }, required: ['k', 'v'], additionalProperties: false },
      ],
      if: { required: ['v'] },
      // oxlint-disable-next-line no-thenable -- the keyword
      then: { properties: { v: { maximum: 5 } } },
      else: { maxProperties: 1 },
      not: { required: ['bad'] },
      patternProperties: { '^x': { type: 'integer' } },
      dependencies: { k: ['v'], m: { required: ['k'] } },
    },
    inputs: [
      { k: 'a' },
      { k: 'b' },
      { k: 'b', v: '7', z: 1 },
      { k: 'c', v: 1 },
      { bad: 1, m: 1, x1: '4' },
      { x1: 'q', k: 'a', v: 3 },
    ],
  },
  { schema: { type: 'string', format: 'date-time' }, inputs: ['2024-01-01T00:00:00Z', 'x', 1] },
  // Refused or logged by strict mode.
  { schema: { type: 'object', unknownKeyword: 1 }, inputs: [{}] },
  { schema: { type: 'string', format: 'unknown' }, inputs: ['x'] },
  { schema: { properties: { a: { minimum: 1 } } }, inputs: [{ a: 0 }] },
  { schema: { type: ['string', 'number'], minimum: 2 }, inputs: ['a', 1, 3] },
  { schema: { type: 'array', items: [{ type: 'string' }] }, inputs: [['a', 1]] },
  { schema: object({ a: {} }, { required: ['b'] }), inputs: [{ b: 1 }, {}] },
  {
    schema: object({ ab: { type: 'string' } }, { patternProperties: { '^a': { type: 'string' } } }),
    inputs: [{ ab: 1 }],
  },
  { schema: { type: 'integer', minimum: 'x' }, inputs: [1] },
  { schema: { id: 'old', type: 'string' }, inputs: ['x'] },
  { schema: { $id: 'own', type: 'array', items: { $ref: '#' } }, inputs: [[[]], [[1]]] },
  {
    schema: { type: 'object', $comment: 'one "`', properties: { a: { $comment: 'two' } } },
    inputs: [{ a: 1 }],
  },
  {
    schema: { type: 'array', contains: { type: 'number' }, minContains: 2 },
    inputs: [[1], [1, 2]],
  },
  { schema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'null' }, inputs: [null] },
  { schema: { $schema: 'http://x.test/none', type: 'null' }, inputs: [null] },
]

/** Schemas for JSON Type Definition, which have another form. */
export const jtdSchemas: readonly SchemaSample[] = [
  {
    schema: {
      properties: {
        t: { type: 'timestamp' },
        i: { type: 'int32' },
        u: { type: 'uint8' },
        f: { type: 'float64' },
        e: { enum: ['a', 'b'] },
        l: { elements: { type: 'string', nullable: true } },
        v: { values: { type: 'boolean' } },
      },
      optionalProperties: { r: { ref: 'one' } },
      definitions: { one: { properties: { o: { type: 'int8' } } } },
    },
    inputs: [
      { t: '2024-01-01T00:00:00Z', i: 1, u: 255, f: 1.5, e: 'a', l: ['x', null], v: { k: true } },
      { t: new Date(0), i: 2 ** 31, u: 256, f: Number.NaN, e: 'c', l: [1], v: { k: 'true' } },
      { t: '2024-01-01', i: '1', u: -1, f: Infinity, e: 1, l: {}, v: [], extra: 1 },
      { t: 'x', i: 1.5, r: { o: 128 } },
      {},
      null,
    ],
  },
  {
    schema: { discriminator: 'k', mapping: { a: { properties: { x: { type: 'string' } } } } },
    inputs: [{ k: 'a', x: 'y' }, { k: 'b' }, { k: 1 }, {}, []],
  },
]

const of = (...values: readonly Json[]): OptionCase[] =>
  values.map((customOptions) => ({ customOptions }))

const each = (name: string, ...values: readonly unknown[]): OptionCase[] =>
  of(...values.map((value) => ({ [name]: value })))

const jtd = (name: string, ...values: readonly unknown[]): OptionCase[] =>
  values.map((value) => ({ customOptions: { [name]: value }, mode: 'JTD', schemas: jtdSchemas }))

/** Cases of options that take the same values. */
const alike = (names: string, ...values: readonly unknown[]): Record<string, OptionCase[]> =>
  Object.fromEntries(names.split(' ').map((name) => [name, each(name, ...values)]))

const draft2019 = (customOptions: Json): OptionCase => ({
  customOptions,
  mode: '2019',
  schemas: [
    {
      schema: {
        $recursiveAnchor: true,
        type: 'object',
        properties: { a: { $recursiveRef: '#' }, b: { type: 'number' } },
        allOf: [{ properties: { c: { type: 'string' } } }],
        unevaluatedProperties: false,
      },
      inputs: [{ a: { b: 1 } }, { a: { z: 1 } }, { c: 'x', b: '1' }, { z: 1 }],
    },
  ],
})

const draft2020 = (customOptions: Json): OptionCase => ({
  customOptions,
  mode: '2020',
  schemas: [
    {
      schema: {
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { a: { $dynamicRef: '#node' }, l: { prefixItems: [{ type: 'number' }] } },
        anyOf: [{ properties: { c: { type: 'string' } } }, { properties: { d: true } }],
        unevaluatedProperties: { type: 'integer' },
      },
      inputs: [{ a: { c: 1 } }, { a: { z: 'y' } }, { l: ['1', 2], d: 1, q: '4' }, { l: ['x'] }],
    },
  ],
})

const person = { $id: 'person', type: 'object', properties: { name: { type: 'string' } } }
const usesPerson: SchemaSample = {
  schema: object({ p: { $ref: 'person#' }, n: { $ref: 'person#/properties/name' } }),
  inputs: [{ p: { name: 1 } }, { p: 1 }, { n: [1, 2] }],
}
const data = {
  schema: object({
    min: { type: 'number' },
    v: { type: 'number', minimum: { $data: '1/min' } },
    f: { type: 'string', format: { $data: '/k' } },
    p: { type: 'string', pattern: { $data: '/k' } },
    k: { type: 'string' },
  }),
  inputs: [
    { min: 2, v: 1 },
    { k: '^a', p: 'b' },
    { min: 'x', v: 1 },
    { k: 'date', f: 'x' },
    { k: 'none', f: 'x' },
  ],
}
const discriminated = {
  schema: {
    type: 'object',
    discriminator: { propertyName: 'k' },
    required: ['k'],
    oneOf: [
      { properties: { k: { const: 'a' }, x: { type: 'number' } } },
      { $ref: '#/definitions/b' },
    ],
    definitions: { b: { properties: { k: { enum: ['b', 'c'] } }, required: ['k', 'y'] } },
  },
  inputs: [{ k: 'a', x: 'z' }, { k: 'b' }, { k: 'c', y: 1 }, { k: 'd' }, { k: 1 }, {}],
}

/** By the name of the option. */
export const optionCases: Readonly<Record<string, readonly OptionCase[]>> = {
  ...alike('strict strictSchema strictNumbers strictTypes', true, false, 'log'),
  ...alike('strictTuples strictRequired', true, false, 'log'),
  ...alike('allowMatchingProperties allowUnionTypes validateFormats allErrors', true, false),
  ...alike('unicodeRegExp passContext unicode', true, false),
  // Options that Ajv has removed.
  ...alike('format nullable jsonPointers extendRefs missingRefs sourceCode', true),
  ...alike('strictDefaults strictKeywords uniqueItems cache serialize ajvErrors', true),
  $data: [{ customOptions: { $data: true, strictTypes: false }, schemas: [data] }],
  verbose: of({ verbose: true }, { verbose: true, allErrors: true }),
  discriminator: [{ customOptions: { discriminator: true }, schemas: [discriminated] }],
  timestamp: jtd('timestamp', 'string', 'date'),
  parseDate: jtd('parseDate', true),
  allowDate: jtd('allowDate', true),
  specialNumbers: jtd('specialNumbers', 'fast', 'null'),
  $comment: each('$comment', true, functions.comment),
  formats: each('formats', { ...functions.formats, unknown: true }),
  keywords: [
    { customOptions: { keywords: functions.keywords, strictTypes: false } },
    ...each('keywords', ['unknownKeyword']),
  ],
  schemas: [
    { customOptions: { schemas: [person] }, schemas: [usesPerson] },
    { customOptions: { schemas: { person } }, schemas: [usesPerson] },
    { customOptions: { schemas: { byKey: person } }, schemas: [usesPerson] },
  ],
  logger: of({ logger: false }, { strict: 'log' }, { logger: false, strict: 'log' }),
  loadSchema: each('loadSchema', functions.comment),
  removeAdditional: each('removeAdditional', true, false, 'all', 'failing'),
  useDefaults: each('useDefaults', true, false, 'empty'),
  coerceTypes: each('coerceTypes', true, false, 'array'),
  next: of({ next: true, strictSchema: false }),
  unevaluated: [
    draft2019({ unevaluated: false }),
    draft2020({ unevaluated: false }),
    draft2020({}),
    ...each('unevaluated', true),
  ],
  dynamicRef: [
    draft2019({ dynamicRef: false }),
    draft2020({ dynamicRef: false }),
    draft2019({}),
    ...each('dynamicRef', true),
  ],
  schemaId: each('schemaId', '$id', 'id'),
  jtd: [...each('jtd', true), ...jtd('jtd', true, false)],
  meta: of(
    { meta: true },
    { meta: false },
    { meta: false, validateSchema: false },
    { meta: { $id: 'http://x.test/none', type: 'object', required: ['type'] } },
  ),
  defaultMeta: of(
    { defaultMeta: 'http://json-schema.org/draft-07/schema#' },
    { defaultMeta: 'http://x.test/none' },
    { defaultMeta: { type: 'object', required: ['title'] } },
  ),
  validateSchema: each('validateSchema', true, false, 'log'),
  addUsedSchema: [
    {
      customOptions: { addUsedSchema: true },
      refused: /`addUsedSchema`, the meaning of "own" depends/,
    },
    { customOptions: { addUsedSchema: false } },
  ],
  inlineRefs: each('inlineRefs', true, false, 1, 3),
  loopRequired: each('loopRequired', 0, 1, 1000),
  loopEnum: each('loopEnum', 0, 1, 1000),
  ownProperties: of({ ownProperties: true }, { ownProperties: true, allErrors: true }),
  multipleOfPrecision: each('multipleOfPrecision', 1, 6),
  int32range: jtd('int32range', true, false),
  messages: of({ messages: false }, { messages: false, allErrors: true }, { messages: true }),
  code: of({ code: {} }),
  uriResolver: of({ uriResolver: functions.resolver }),
  ignoreKeywordsWithRef: each('ignoreKeywordsWithRef', true),
  jsPropertySyntax: of({ jsPropertySyntax: true }, { jsPropertySyntax: true, allErrors: true }),
  errorDataPath: each('errorDataPath', 'property'),
  processCode: each('processCode', functions.process),
  unknownFormats: each('unknownFormats', 'ignore', ['unknown']),
  'code.es5': of({ code: { es5: true } }),
  'code.esm': of({ code: { esm: true } }),
  'code.lines': of({ code: { lines: true } }),
  'code.optimize': of(
    { code: { optimize: false } },
    { code: { optimize: true } },
    { code: { optimize: 4 } },
  ),
  'code.formats': of({ code: { formats: functions.formatsCode } }),
  'code.source': of({ code: { source: true } }, { code: { source: false } }),
  'code.process': of({ code: { process: functions.process } }),
  'code.regExp': of({ code: { regExp: functions.engine } }),
}
