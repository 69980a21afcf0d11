/** Tests serializers that random schemas don't contain: long arrays, hooks, unions of references, options. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import type { CompiledSerializer } from '../../../runtime/artifact/index.ts'
import { object } from '../../support/request-schemas.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'
import {
  assertRefusedAlike,
  assertSameOutcomes,
  compiled,
  serializerUnit,
} from '../../support/units.ts'

interface Case {
  readonly schema: unknown
  readonly externals?: Record<string, unknown>
  readonly options?: Record<string, unknown>
  readonly inputs: readonly unknown[]
}

const emitter = createEmitter()

const person = {
  $id: 'person',
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, born: { type: 'string', format: 'date' } },
}
const node = {
  $id: 'node',
  type: 'object',
  properties: {
    value: { anyOf: [{ type: 'integer' }, { $ref: 'person#' }, { $ref: '#/definitions/when' }] },
    next: { $ref: '#' },
  },
  definitions: { when: { type: 'string', format: 'date-time' } },
}

/** Records reads of getters. */
function watched(values: readonly unknown[], log: string[]): unknown[] {
  const items: unknown[] = []
  for (const [i, value] of values.entries()) {
    Object.defineProperty(items, i, { enumerable: true, get: () => (log.push(String(i)), value) })
  }
  return items
}

const words = Array.from({ length: 200 }, (_, i) =>
  i % 7 === 0 ? `"${i}" \\ \u2028 😀` : `word ${i}`,
)
const digits = Array.from({ length: 300_001 }, (_, i) => i - 150_000)

const cases: (Case & { readonly title: string })[] = [
  {
    title: 'long arrays of strings, plain and not',
    schema: { type: 'array', items: { type: 'string' } },
    inputs: [
      words,
      [...words, null, new Date(0), /a"b/, { toString: () => 'text' }, 5, ...words],
      [...words, undefined],
      Object.assign([...words], { toJSON: () => 'never' }),
      Object.assign([], { length: 150 }),
      null,
      'no array',
    ],
  },
  {
    title: 'long arrays of integers',
    schema: object({ a: { type: 'array', items: { type: 'integer' } } }),
    options: { rounding: 'floor' },
    inputs: [{ a: digits }, { a: [...digits, 1.5, '7', 10n] }, { a: [...digits, Number.NaN] }],
  },
  {
    title: 'long arrays of numbers',
    schema: { type: 'array', items: { type: 'number' } },
    inputs: [
      digits,
      [...digits, 0.5, -0, 1e21, Number.POSITIVE_INFINITY],
      [...digits, '7', null, true],
      [...digits, 'x'],
    ],
  },
  {
    title: 'largeArrayMechanism and largeArraySize',
    schema: { type: 'array', items: object({ a: { type: 'string' } }) },
    options: { largeArrayMechanism: 'json-stringify', largeArraySize: '3' },
    inputs: [[{ a: 1, b: 2 }], [{ a: 1, b: 2 }, {}, {}, {}]],
  },
  {
    title: 'unions over references, with dates in them, at any depth',
    schema: object({ root: { $ref: 'node#' } }),
    externals: { person, node: node },
    inputs: [
      { root: { value: 1 } },
      { root: { value: { name: 'x', born: new Date(1e12) }, next: { value: new Date(5) } } },
      { root: { value: '2024-01-01T00:00:00Z', next: { next: { value: { name: 'y', z: 1 } } } } },
      { root: { value: '10:00' } },
      { root: { value: { nobody: 1 } } },
    ],
  },
  {
    title: 'conditions with references and with one arm alone',
    schema: {
      type: 'object',
      properties: { kind: { type: 'string' } },
      if: { properties: { kind: { const: 'person' } }, required: ['kind'] },
      // oxlint-disable-next-line no-thenable -- the keyword
      then: { $ref: 'person#' },
      else: { properties: { count: { type: 'integer' } } },
    },
    externals: { person },
    inputs: [
      { kind: 'person', name: 'x', count: 1 },
      { kind: 'person', count: 1 },
      { kind: 'thing', name: 'x', count: 1.7 },
      {},
    ],
  },
  {
    title: 'a schema with the id of a shared one is used itself',
    schema: object({ own: { type: 'string' } }, { $id: 'person' }),
    externals: { person },
    inputs: [{ own: 'x', name: 'y' }],
  },
  {
    title: 'unsafe strings, constants, nullable values, bigint, types in a list',
    schema: object({
      u: { type: 'string', format: 'unsafe' },
      c: { const: { a: '`${1}' } },
      n: { type: 'integer', nullable: true },
      l: {
        type: ['null', 'boolean', 'string', 'object'],
        properties: { b: { type: 'integer' } },
      },
      any: {},
    }),
    inputs: [
      { u: 'a"b', c: 1, n: null, l: null, any: { z: [1] } },
      { n: 10n, l: { b: 2n, c: 1 } },
      { l: 'x' },
      { l: 5 },
      { l: true, any: undefined },
    ],
  },
  {
    title: 'dates of years with four digits',
    schema: object({
      d: { type: 'string', format: 'date' },
      t: { type: 'string', format: 'time' },
      x: { type: 'string', format: 'date-time' },
    }),
    inputs: [-62167219200000, -1, 0, 999, 1e12 + 7, Number.NaN].flatMap((ms) =>
      ['d', 't', 'x'].map((key) => ({ [key]: new Date(ms) })),
    ),
  },
  {
    title: 'values that do not fit',
    schema: {
      type: 'object',
      required: ['id', 'o\'id\\"', 'missing'],
      properties: {
        id: { type: 'integer' },
        d: { type: 'string', format: 'date' },
        'o\'id\\"': {},
      },
    },
    inputs: [
      {},
      { id: 'x' },
      { id: 1 },
      { id: 1, missing: 1, 'o\'id\\"': 1, d: 5 },
      undefined,
      5,
      'text',
    ],
  },
]

for (const entry of cases) test(entry.title, () => holdToOracle(entry))

function holdToOracle({ schema, externals, options, inputs }: Case): void {
  assertSameOutcomes(emitter, serializerUnit(schema, options, externals), inputs)
}

test('items are read once and in order, also in long arrays', () => {
  const unit = serializerUnit({ type: 'array', items: { type: 'string' } })
  const values = [...words, 5, ...words.slice(0, 5)]
  const serialize = compiled(emitter, unit) as CompiledSerializer
  const log: string[] = []
  const actual = serialize(watched(values, log))
  assert.equal(actual, (compileWithOracle(unit) as CompiledSerializer)(values))
  const indexes = values.map((_, i) => String(i))
  assert.deepEqual(log, indexes)
})

test('keywords beside a reference are ignored, except to select the branch of a union', () => {
  const externals = {
    person,
    tree: {
      $id: 'tree',
      $ref: '#/definitions/tree',
      definitions: {
        tree: object({ children: { type: 'array', items: { $ref: '#/definitions/tree' } } }),
      },
    },
  }
  const schemas = [
    {
      $ref: '#/definitions/one',
      definitions: {
        one: object({ a: { $ref: 'person#', nullable: true } }),
      },
    },
    { $ref: 'person#', required: ['born'], properties: { more: { type: 'string' } } },
    object({ a: { $ref: 'person#', default: { name: 'x' }, additionalProperties: true } }),
    {
      anyOf: [{ $ref: 'person#', required: ['born'] }, object({ name: { type: 'integer' } })],
    },
    { $ref: 'tree#' },
    object({ a: { $ref: 'tree#', description: 'x' } }),
  ]
  const inputs = [
    { a: { name: 'x', more: 1 } },
    { a: null },
    { a: {} },
    {},
    { name: '5', more: 1 },
    { name: 'x', born: '2024-01-01' },
    { children: [{ children: [{}] }, { name: 'x' }] },
    { a: { children: [{ children: [1] }] } },
  ]
  for (const schema of schemas) holdToOracle({ schema, externals, inputs })
})

test('keywords beside references select the branch of a union in a merged schema', () => {
  const named = object({ name: { const: 'x' } })
  const definitions = { named, short: { type: 'string', maxLength: 1 } }
  const arms = [
    { $ref: '#/definitions/named', required: ['born'] },
    {
      $ref: '#/definitions/named',
      properties: { more: { $ref: '#/definitions/short', minLength: 1 } },
    },
    object({ name: { type: 'integer' } }),
  ]
  const merged = [
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    { if: { type: 'number' }, then: { type: 'array' }, else: { anyOf: arms } },
    { allOf: [object({ id: { type: 'integer' } }), { anyOf: arms }] },
    object({ id: { type: 'integer' } }, { anyOf: [{ type: 'object', oneOf: arms }] }),
  ]
  const inputs = [
    {},
    { name: 'x' },
    { name: 'x', born: 1, id: '2' },
    { name: '5', more: 'a' },
    { name: 'x', more: 'a' },
    { name: 'x', more: 'long', id: 1 },
    { name: 'x', more: '' },
  ]
  for (const schema of merged) {
    holdToOracle({ schema: { ...schema, definitions }, inputs })
    const own = { ...schema, $id: 'own', definitions }
    holdToOracle({ schema: own, inputs })
    holdToOracle({ schema: { $ref: 'own#' }, externals: { own }, inputs })
  }
})

test('keywords that merging puts beside a reference are ignored', () => {
  const definitions = { one: object({ p: { type: 'integer' } }) }
  const open = object({}, { additionalProperties: { $ref: '#/definitions/one' } })
  const inputs = [{ a: { p: 1, q: 2 }, b: { p: '2' } }, { a: {} }]
  for (const a of [
    { allOf: [{ type: 'array' }] },
    object({ q: { type: 'integer' } }),
    { anyOf: [{ type: 'object' }, { type: 'string' }] },
  ]) {
    const allOf = [open, object({ a })]
    holdToOracle({ schema: { allOf, definitions }, inputs })
    const twice = [{ allOf }, object({ b: { type: 'object' } })]
    holdToOracle({ schema: { allOf: twice, definitions }, inputs })
  }
})

test('a string branch of a union accepts dates, but no other object with `toJSON`', () => {
  const union = [{ type: 'string' }, object({ a: { type: 'integer' } })]
  const withToJSON = [{ toJSON: () => 'text' }, { toJSON: () => ({ a: '1', b: 2 }) }, new Date(0)]
  const inputs = [...withToJSON, 'x', null]
  for (const keyword of ['anyOf', 'oneOf']) {
    for (const branches of [
      union,
      union.slice(0, 1),
      [{ type: ['string', 'null'] }, { type: 'null' }],
    ]) {
      holdToOracle({ schema: { [keyword]: branches }, inputs })
      const nested = object({ v: { [keyword]: branches } })
      holdToOracle({ schema: nested, inputs: inputs.map((v) => ({ v })) })
    }
  }
  const list = { type: ['object', 'integer'], properties: { a: { type: 'string' } } }
  holdToOracle({ schema: list, inputs: [[], [{ a: 1 }], { a: 1 }, 5] })
})

test('values without JSON are left out or null, as by `JSON.stringify`', () => {
  const any = {}
  const text = { type: 'string' }
  const all = { x: any, y: any, z: any }
  const type = 'object'
  const values = [{ toJSON: () => undefined }, () => 1, Symbol('none'), undefined, /x/, null]
  const objects = values.flatMap((x) => [
    { x, y: x, z: 1 },
    { x, y: 1, z: 1 },
    { y: x, z: 1 },
  ])
  const table: readonly (readonly [schema: object, inputs: readonly unknown[]])[] = [
    [{ type, properties: all }, objects],
    [{ type, properties: all, required: ['z'] }, objects],
    [{ type, properties: { z: any }, additionalProperties: true }, objects],
    [{ type, properties: { z: any }, required: ['z'], additionalProperties: true }, objects],
    [{ type, properties: { z: any }, required: ['z'], additionalProperties: any }, objects],
    [{ type, additionalProperties: true }, objects],
    [{ type, additionalProperties: any }, objects],
    [{ type, patternProperties: { x: any, y: any }, additionalProperties: any }, objects],
    [
      { type, properties: { z: any }, required: ['z'], patternProperties: { '[xy]': any } },
      objects,
    ],
    [{ type, properties: { x: any } }, values.map((x) => ({ x }))],
    [{ type: 'array', items: any }, [values, []]],
    [{ type: 'array' }, [values]],
    [{ type: 'array', items: [text], additionalItems: true }, [['a', ...values]]],
    [object({ x: { type: 'array', items: any } }), [{ x: values }]],
    [
      object({ x: { type: 'array', items: [text], additionalItems: true } }),
      [{ x: ['a', ...values] }],
    ],
  ]
  const serializerOf = (schema: object): CompiledSerializer =>
    compiled(emitter, serializerUnit(schema)) as CompiledSerializer
  for (const [schema, inputs] of table) {
    const serialize = serializerOf(schema)
    for (const input of inputs) {
      const message = JSON.stringify(schema)
      assert.deepEqual(JSON.parse(serialize(input)), JSON.parse(JSON.stringify(input)), message)
    }
  }
  const [without] = values
  const required = { type, properties: { x: any }, required: ['x'] }
  assert.throws(() => serializerOf(required)({ x: without }), /^Error: "x" is required!$/)
  const union = serializerOf(object({ x: { anyOf: [{ type: 'integer' }, any] } }))
  assert.equal(union({ x: without }), '{"x":null}')
  assert.equal(serializerOf(object({ x: { default: 1 } }))({ x: without }), '{"x":1}')
})

test('code with a syntax error is refused with the message of the engine', () => {
  for (const schema of [
    { type: 'object', patternProperties: { '': { type: 'string' } } },
    { type: 'object', patternProperties: { 'a\nb': { type: 'string' } } },
    { allOf: [{ anyOf: [{ type: 'null' }] }, false], anyOf: [{ type: 'integer' }] },
  ]) {
    const unit = serializerUnit(schema)
    assert.throws(() => compileWithOracle(unit), SyntaxError)
    assertRefusedAlike(emitter, unit)
  }
})

test('options that fast-json-stringify 5 lacks are ignored', () => {
  const schema = object({ a: { type: 'string' } })
  const options = { objectMechanism: 'other', maxDepth: 0, inlineValidators: 1 }
  holdToOracle({ schema, options, inputs: [{ a: 1 }] })
})

test('options that fast-json-stringify refuses are refused with its message', () => {
  for (const options of [
    { rounding: 'up' },
    { largeArrayMechanism: 'fast' },
    { largeArraySize: 'many' },
  ]) {
    assertRefusedAlike(emitter, serializerUnit({}, options))
  }
})
