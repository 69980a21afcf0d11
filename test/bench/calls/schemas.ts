/** Schemas that several cases refer to. */
type Schema = Readonly<Record<string, unknown>>

export const address: Schema = {
  $id: 'address',
  type: 'object',
  required: ['street', 'city'],
  properties: {
    street: { type: 'string' },
    city: { type: 'string', maxLength: 80 },
    zip: { type: 'string', pattern: '^[0-9]{5}$' },
  },
}

export const money: Schema = {
  $id: 'money',
  type: 'object',
  required: ['amount', 'currency'],
  properties: {
    amount: { type: 'number', minimum: 0 },
    currency: { type: 'string', enum: ['EUR', 'USD'] },
  },
}

export const tree: Schema = {
  $id: 'tree',
  type: 'object',
  properties: {
    label: { type: 'string' },
    children: { type: 'array', items: { $ref: 'tree#' } },
  },
}

export const order: Schema = {
  type: 'object',
  required: ['name', 'address'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string', minLength: 1, maxLength: 40 },
    address: { $ref: 'address#' },
    tags: { type: 'array', maxItems: 9, items: { type: 'string' } },
    since: { type: 'string', format: 'date-time' },
    kind: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['a', 'b'] }] },
    flags: { type: 'object', additionalProperties: { type: 'boolean' } },
  },
}

const kinds = [
  [{ type: 'string', maxLength: 80 }, 'some text'],
  [{ type: 'integer', minimum: 0 }, 42],
  [{ type: 'number' }, 4.5],
  [{ type: 'boolean' }, true],
] as const

const fields = Array.from({ length: 40 }, (_, i) => [`field${i}`, kinds[i % kinds.length]] as const)

export const wide: Schema = {
  type: 'object',
  required: fields.slice(0, 20).map(([name]) => name),
  properties: Object.fromEntries(fields.map(([name, kind]) => [name, kind?.[0]])),
}

export const wideValue: unknown = Object.fromEntries(
  fields.map(([name, kind]) => [name, kind?.[1]]),
)
