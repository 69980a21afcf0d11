import { object, post, refused, responds, text, validates } from './applications.mjs'

const json = (value) => post('application/json', value)
const cat = {
  $id: 'cat',
  ...object({ kind: { const: 'cat' }, lives: { type: 'integer' } }, { required: ['kind'] }),
}
const dog = { $id: 'dog', ...object({ kind: { const: 'dog' } }, { required: ['kind'] }) }
const uuid = 'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6'

/** Validators. */
export const issues = [
  {
    issue: 'ajv-validator/ajv#2664',
    what: '`required: ["toString"]` accepts `{}`, and `constructor: { type: "number" }` refuses it',
    app: (app) => {
      const body = { type: 'object', required: ['toString'] }
      app.post('/', { schema: { body } }, async () => 'accepted')
      const other = object({ constructor: { type: 'number' } })
      app.post('/typed', { schema: { body: other } }, async () => 'accepted')
    },
    ask: [json('{}'), { ...json('{}'), url: '/typed' }],
  },
  {
    issue: 'ajv-validator/ajv#2561',
    what: '`multipleOf: 1` refuses large integers',
    app: validates(object({ n: { type: 'number', multipleOf: 1 } })),
    ask: [json('{"n":1e21}'), json('{"n":1.5}')],
  },
  {
    issue: 'ajv-validator/ajv#2427',
    what: 'a discriminator whose branches are `$ref`s to other schemas fails',
    options: () => ({ ajv: { customOptions: { discriminator: true } } }),
    app: validates(
      {
        type: 'object',
        discriminator: { propertyName: 'kind' },
        required: ['kind'],
        oneOf: [{ $ref: 'cat#' }, { $ref: 'dog#' }],
      },
      [cat, dog],
    ),
    ask: [json('{"kind":"cat","lives":"9"}'), json('{"kind":"cow"}')],
    right: [
      '200 | {"kind":"cat","lives":9}',
      refused('body value of tag \\"kind\\" must be in oneOf'),
    ],
  },
  {
    issue: 'fastify/fastify#6397',
    what: 'shorthand inside `content` of a response skips serialization',
    app: responds({ content: { 'application/json': { schema: { name: text } } } }, () => ({
      name: 'a',
      secret: 'b',
    })),
    ask: ['/'],
    right: ['200 | {"name":"a"}'],
  },
  {
    issue: 'fastify/fast-uri#82',
    what: 'shared schemas with URNs as `$id` are not found',
    app: validates(object({ name: { $ref: 'urn:example:name' }, age: { $ref: uuid } }), [
      { $id: 'urn:example:name', type: 'string', minLength: 2 },
      { $id: uuid, type: 'integer' },
    ]),
    ask: [json('{"name":"ab","age":"7"}'), json('{"name":"a"}')],
    right: [
      '200 | {"name":"ab","age":7}',
      refused('body/name must NOT have fewer than 2 characters'),
    ],
  },
]
