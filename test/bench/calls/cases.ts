/** Schemas as applications have them, each with a value for it. */
import type { CompileUnit } from '../../../runtime/artifact/index.ts'
import type { UnitFactory } from '../../../runtime/artifact/units.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'
import { address, money, order, tree, wide, wideValue } from './schemas.ts'

export interface Case {
  readonly unit: CompileUnit
  /** Plain data: each call gets a copy, as from a request. */
  readonly value: unknown
  /** Makes of the data what a handler returns; as a rule the data itself. */
  readonly revive: (value: never) => unknown
}

const externals = { address, money, tree }
const validator = createUnitFactory('validator', externals, { customOptions: {}, plugins: [] })
const patient = createUnitFactory('validator', externals, {
  customOptions: { allErrors: true },
  plugins: [],
})
const serializer = createUnitFactory('serializer', externals, {})

const anOrder = {
  id: 7,
  name: 'Ada',
  address: { street: 'Main', city: 'Paris', zip: '75001' },
  tags: ['x', 'y'],
  since: '2024-02-29T10:00:00Z',
  kind: 'a',
  flags: { urgent: true },
}
const aTree = { label: 'a', children: [{ label: 'b', children: [] }, { label: 'c' }] }
const list = { type: 'array', items: order }
const forest = { type: 'object', properties: { root: { $ref: 'tree#' } } }

const formats = object({
  id: { type: 'string', format: 'uuid' },
  mail: { type: 'string', format: 'email' },
  at: { type: 'string', format: 'date-time' },
  on: { type: 'string', format: 'date' },
  page: { type: 'string', format: 'uri' },
  from: { type: 'string', format: 'ipv4' },
})
const formatted = {
  id: '123e4567-e89b-12d3-a456-426614174000',
  mail: 'ada@example.com',
  at: '2024-02-29T10:00:00.123Z',
  on: '2024-02-29',
  page: 'https://example.com/a?b=c',
  from: '192.168.1.10',
}
const choices = object({
  colour: { enum: ['red', 'green', 'blue'] },
  size: { type: 'integer', enum: [1, 2, 4, 8] },
  version: { const: 3 },
  place: { const: { x: 1, y: [2] } },
})
const shapes = object({
  shape: {
    oneOf: [
      object({ kind: { const: 'circle' }, radius: { type: 'number' } }, ['kind', 'radius']),
      object({ kind: { const: 'square' }, side: { type: 'number' } }, ['kind', 'side']),
      object({ kind: { const: 'line' }, length: { type: 'number' } }, ['kind', 'length']),
    ],
  },
})
const nullable = object({
  a: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  b: { type: ['integer', 'null'] },
  c: { type: 'string', nullable: true },
})
const closed = {
  ...object({ a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } }),
  additionalProperties: false,
}
const defaults = object({
  page: { type: 'integer', default: 1 },
  size: { type: 'integer', default: 20, minimum: 1, maximum: 100 },
  sort: { type: 'string', default: 'name' },
  where: { type: 'object', default: {}, properties: { open: { type: 'boolean', default: true } } },
})
const coerced = object({
  n: { type: 'number' },
  i: { type: 'integer' },
  b: { type: 'boolean' },
  s: { type: 'string' },
  list: { type: 'array', items: { type: 'integer' } },
  one: { type: 'array', items: { type: 'string' } },
})
const matrix = object({
  rows: {
    type: 'array',
    items: {
      ...object({ cells: { type: 'array', items: object({ v: { type: 'number' } }, ['v']) } }),
      required: ['cells'],
    },
  },
})
const rows = Array(5).fill({ cells: Array(5).fill({ v: 1.5 }) })
const places = 'a b c d e f g h i j'.split(' ')
const shared = object(Object.fromEntries(places.map((name) => [name, { $ref: 'money#' }])))
const amounts = Object.fromEntries(places.map((name) => [name, { amount: 5, currency: 'EUR' }]))
const labels = {
  type: 'object',
  patternProperties: { '^x-': { type: 'string' }, '^n-': { type: 'integer' } },
}
const documents = object({ title: { type: 'string', maxLength: 200 }, text: { type: 'string' } })
const text = 'All happy families are alike; each unhappy family is unhappy in its own way. '.repeat(
  100,
)
const dates = object({
  created: { type: 'string', format: 'date-time' },
  updated: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
})
const when = '2024-02-29T10:00:00.123Z'
const unions = object({
  id: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  shape: shapes.properties['shape'],
  note: { type: ['string', 'null'] },
})
const open = {
  ...object({ id: { type: 'integer' } }),
  additionalProperties: { type: 'string' },
}

export const cases: Readonly<Record<string, Case>> = {
  'params, coerced': validated(object({ id: { type: 'integer', minimum: 1 } }, ['id']), {
    id: '7',
  }),
  'querystring, with a default': validated(
    object({
      page: { type: 'integer', default: 1 },
      tags: { type: 'array', items: { type: 'string' } },
    }),
    { tags: 'a' },
  ),
  'body, valid': validated(order, anOrder),
  'body, of ten': validated(list, Array(10).fill(anOrder)),
  'body, recursive': validated(forest, { root: aTree }),
  'body, invalid in a shared part': validated(order, { ...anOrder, address: { street: 'Main' } }),
  'body, invalid type': validated(order, { ...anOrder, id: 'x' }),
  'body, invalid in a list': validated(list, [anOrder, { ...anOrder, tags: ['x', {}] }]),
  'body, without a property': validated(order, {}),
  'string formats': validated(formats, formatted),
  'string format, invalid': validated(formats, { ...formatted, at: '2024-02-30T10:00:00Z' }),
  'enum and const': validated(choices, {
    colour: 'blue',
    size: 4,
    version: 3,
    place: { x: 1, y: [2] },
  }),
  'enum, invalid': validated(choices, { colour: 'black' }),
  'oneOf, first': validated(shapes, { shape: { kind: 'circle', radius: 2 } }),
  'oneOf, last': validated(shapes, { shape: { kind: 'line', length: 2 } }),
  'oneOf, invalid': validated(shapes, { shape: { kind: 'cube', side: 2 } }),
  'anyOf and null': validated(nullable, { a: null, b: 3, c: 'x' }),
  'additional properties removed': validated(closed, { a: 'a', b: 1, c: true, d: 1, e: 'x' }),
  'additional properties, none': validated(closed, { a: 'a', b: 1, c: true }),
  defaults: validated(defaults, {}),
  'defaults, not needed': validated(defaults, { page: 2, size: 5, sort: 'id', where: {} }),
  coercion: validated(coerced, {
    n: '1.5',
    i: '7',
    b: 'true',
    s: 'x',
    list: ['1', '2'],
    one: 'a',
  }),
  'nothing to coerce': validated(coerced, {
    n: 1.5,
    i: 7,
    b: true,
    s: 'x',
    list: [1, 2],
    one: ['a'],
  }),
  'nested arrays of objects': validated(matrix, { rows }),
  '40 properties': validated(wide, wideValue),
  'shared part in ten places': validated(shared, amounts),
  patternProperties: validated(labels, { 'x-a': 'a', 'x-b': 'b', 'n-c': 3, other: true }),
  'large strings': validated(documents, { title: text.slice(0, 150), text }),
  'all errors, none': validated(order, anOrder, patient),
  'all errors, eight': validated(order, { address: { city: {} }, tags: [{}], kind: {} }, patient),
  response: serialized(order, anOrder),
  'response, of ten': serialized(list, Array(10).fill(anOrder)),
  'response, recursive': serialized(forest, { root: aTree }),
  'response, dates': serialized(
    dates,
    { created: when, updated: when, day: when },
    (value: Record<string, string>) =>
      Object.fromEntries(Object.entries(value).map(([key, one]) => [key, new Date(one)])),
  ),
  'response, dates as strings': serialized(dates, {
    created: when,
    updated: when,
    day: '2024-02-29',
  }),
  'response, unions': serialized(unions, {
    id: 'a1',
    shape: { kind: 'line', length: 2 },
    note: null,
  }),
  'response, nested arrays of objects': serialized(matrix, { rows }),
  'response, 40 properties': serialized(wide, wideValue),
  'response, shared part in ten places': serialized(shared, amounts),
  'response, additional properties': serialized(open, { id: 1, a: 'a', b: 'b', c: 'c' }),
  'response, patternProperties': serialized(labels, { 'x-a': 'a', 'x-b': 'b', 'n-c': 3 }),
  'response, large strings': serialized(documents, { title: text.slice(0, 150), text }),
  'response, escaped strings': serialized(documents, { title: 'He said "no"', text: 'a\nb' }),
  'response, list of numbers': serialized(
    { type: 'array', items: { type: 'number' } },
    [1, 2.5, 3, 4.25, 5, 6, 7, 8],
  ),
}

function object(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): { readonly type: string; readonly properties: Readonly<Record<string, unknown>> } {
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

function validated(schema: object, value: unknown, factory: UnitFactory = validator): Case {
  return { unit: factory.unit(schema), value, revive: same }
}

function serialized(
  schema: object,
  value: unknown,
  revive: (value: never) => unknown = same,
): Case {
  return { unit: serializer.unit(schema), value, revive }
}

function same(value: unknown): unknown {
  return value
}
