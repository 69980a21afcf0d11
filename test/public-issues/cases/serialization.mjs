import { date, object, query, responds, text } from './applications.mjs'

const odd = ['back\\slash', 'tab\there', 'quote"here', 'new\nline', "tick's"]

/** Serializers. */
export const issues = [
  {
    issue: 'fastify/fast-json-stringify#848',
    what: 'a backslash, quote or line break in `const` makes invalid JSON',
    app: responds(object(Object.fromEntries(odd.map((value) => [value, { const: value }]))), () =>
      Object.fromEntries(odd.map((value) => [value, value])),
    ),
    ask: ['/'],
    right: [`200 | ${JSON.stringify(Object.fromEntries(odd.map((value) => [value, value])))}`],
  },
  {
    issue: 'fastify/fast-json-stringify#734',
    what: 'a tuple item that is a `$ref` to a date fails',
    app: responds(
      { type: 'array', items: [{ $ref: '#/definitions/at' }], definitions: { at: date } },
      () => [new Date(1)],
    ),
    ask: ['/'],
    right: ['200 | ["1970-01-01T00:00:00.001Z"]'],
  },
  {
    issue: 'fastify/fast-json-stringify#723',
    what: 'a BigInt for `type: number` gets 500',
    app: responds(object({ n: { type: 'number' }, i: { type: 'integer' } }), () => ({
      n: 11753021440n,
      i: 12345678901234567890n,
    })),
    ask: ['/'],
    right: ['200 | {"n":11753021440,"i":12345678901234567890}'],
  },
  {
    issue: 'fastify/fast-json-stringify#716',
    what: 'a quote in the name of a required property breaks the compiled code',
    app: responds(object({ "it's": text, 'a"b': text }, { required: ["it's", 'a"b'] }), query),
    ask: ["/?it's=1&a%22b=2", '/?a%22b=2'],
    right: [
      '200 | {"it\'s":"1","a\\"b":"2"}',
      '500 | {"statusCode":500,"error":"Internal Server Error","message":"\\"it\'s\\" is required!"}',
    ],
  },
  {
    issue: 'fastify/fast-json-stringify#670',
    what: 'null for an object or array that is not nullable gets 500',
    app: responds(object({ o: object({ a: text }), l: { type: 'array', items: text } }), () => ({
      o: null,
      l: null,
    })),
    ask: ['/'],
    right: ['200 | {"o":{},"l":[]}'],
  },
  {
    issue: 'fastify/fast-json-stringify#642',
    what: 'anyOf of required properties leaves a comma at the end of the object',
    app: responds(
      object(
        { a: text, b: text, c: text },
        { required: ['a'], anyOf: [{ required: ['b'] }, { required: ['c'] }] },
      ),
      query,
    ),
    ask: ['/?a=1&b=2', '/?a=1&c=3', '/?a=1&b=2&c=3'],
    right: [
      '200 | {"a":"1","b":"2"}',
      '200 | {"a":"1","c":"3"}',
      '200 | {"a":"1","b":"2","c":"3"}',
    ],
  },
  {
    issue: 'fastify/fast-json-stringify#869',
    what: 'a tuple item without a type fails',
    app: responds({ type: 'array', items: [text, {}, { enum: ['a', 1] }] }, () => ['x', {}, 1]),
    ask: ['/'],
  },
]
