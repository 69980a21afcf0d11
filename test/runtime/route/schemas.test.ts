import { test } from 'node:test'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assertSame, tryAll } from '../../support/differential.ts'
import { echo, integer, object, post, text } from '../../support/request-schemas.ts'

test('short forms, the alias query, fluent schemas, and schemas of other classes', () =>
  assertSame({
    build(app, note) {
      const fluent = { isFluentSchema: true, valueOf: () => object({ a: integer }) }
      app.get(
        '/short',
        { schema: { query: { a: integer }, headers: { 'X-Count': integer } } },
        echo,
      )
      app.post(
        '/fluent',
        {
          schema: {
            body: fluent,
            response: {
              200: { isFluentSchema: true, valueOf: () => object({ body: object({ a: text }) }) },
            },
          },
        },
        echo,
      )
      app.get(
        '/kept',
        { schema: { tags: ['x'], hide: true, querystring: { a: text } } as object },
        async (request) => ({
          schema: (request as FastifyRequest & { routeSchema: unknown }).routeSchema,
          config: (request as FastifyRequest & { routeConfig: unknown }).routeConfig,
        }),
      )
      class Custom {
        readonly a = 1
      }
      app.post(
        '/custom',
        {
          schema: { body: new Custom(), headers: new Custom(), response: { 200: object({}) } },
          validatorCompiler: ({ schema, httpPart, method, url }) => {
            note(schema instanceof Custom, httpPart, method, url)
            return (data: unknown) => ({ value: { [String(httpPart)]: data === null } })
          },
        },
        async (request) =>
          JSON.stringify([request.body, (request.headers as { headers?: unknown }).headers]),
      )
      app.get(
        '/missing',
        { schema: { querystring: undefined, params: undefined, headers: undefined } as object },
        echo,
      )
    },
    requests: [
      '/short?a=1',
      '/short?a=x',
      post('/fluent', { a: '1' }),
      post('/fluent', { a: 'x' }),
      '/kept?a=1',
      post('/custom', { a: 1 }),
      '/missing',
    ],
  }))

test('declarations that are refused', async () => {
  const get =
    (schema: object, more: object = {}) =>
    (app: FastifyInstance): unknown =>
      app.get('/', { schema, ...more } as object, echo)
  const broken = (): never => {
    throw new Error('own')
  }
  const refused: ((app: FastifyInstance) => unknown)[] = [
    get({ body: object({}) }),
    (app) =>
      app.route({
        method: ['POST', 'HEAD'],
        url: '/',
        schema: { body: object({}) },
        handler: echo,
      }),
    get({ query: { a: text }, querystring: { a: text } }),
    get({ querystring: { $ref: 'nope#' } }),
    get({ response: { 200: { $ref: 'nope#' } } }),
    get({ response: { '20x': object({}) } }),
    get({ response: { type: 'object' } }),
    get({ response: { 200: { content: { a: {}, b: {} } } } }),
    get({ querystring: object({ a: { type: 'nonsense' } }) }),
    get({ querystring: object({ a: { foo: 1 } }) }),
    (app) =>
      app.register(
        async (child) => void child.get('/:id', { schema: { params: { $ref: 'nope#' } } }, echo),
        { prefix: '/p' },
      ),
    get({ querystring: object({}) }, { validatorCompiler: broken }),
    get({ response: { 200: object({}) } }, { serializerCompiler: broken }),
    (app) => app.addSchema({ type: 'string' }),
    (app) => app.addSchema({ $id: '' }),
    (app) => app.addSchema({ $id: 'a' }).addSchema({ $id: 'a' }),
    (app) => app.setSchemaErrorFormatter('no function' as never),
    (app) => app.setSchemaErrorFormatter((async () => new Error()) as never),
  ]
  for (const declare of refused)
    await assertSame({ build: (app) => void declare(app), requests: ['/'] })
})

test('a schema that a child has already cannot be added to its parent', () =>
  assertSame({
    build(app, note) {
      app.register(async (child) => void child.addSchema({ $id: 'a' }))
      app.after(() => tryAll(note, [() => app.addSchema({ $id: 'a' }), () => app.getSchema('a')]))
    },
  }))

test('compiler options that are null count as missing', () =>
  assertSame({
    options: () => ({ ajv: null, serializerOpts: null }) as object,
    build: (app) => {
      const schema = { response: { 200: object({ n: integer }) } }
      app.get('/', { schema }, async () => ({ n: '1', m: 2 }))
    },
    requests: ['/'],
  }))

test('compilers: route, context, factory, default', () =>
  assertSame({
    options: () => ({
      ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
      serializerOpts: { rounding: 'ceil' },
    }),
    build(app, note) {
      const schema = { body: object({ n: integer }), response: { 200: object({ n: integer }) } }
      const handler = async (request: FastifyRequest): Promise<unknown> => request.body
      const validator =
        (name: string) =>
        ({ httpPart }: { httpPart?: string }) =>
        (data: unknown) => {
          note('validates', name, httpPart)
          return (data as { bad?: boolean }).bad
            ? { error: new Error(`${name} says no`) }
            : { value: data }
        }
      const serializer =
        (name: string) =>
        ({ httpStatus }: { httpStatus?: string }) =>
        (data: unknown) =>
          `${name} ${httpStatus} ${JSON.stringify(data)}`
      app.post('/default', { schema }, handler)
      app.post(
        '/route',
        {
          schema,
          validatorCompiler: validator('route') as never,
          serializerCompiler: serializer('route') as never,
        },
        handler,
      )
      app.register(async (child) => {
        child.setValidatorCompiler(validator('child') as never)
        child.setSerializerCompiler(serializer('child') as never)
        child.post('/child', { schema }, handler)
        note(child.validatorCompiler, child.serializerCompiler)
        child.register(async (grandchild) => {
          grandchild.post('/inner', { schema }, handler)
          note(grandchild.validatorCompiler)
        })
        child.register(async (grandchild) => {
          // Fastify 4.21 drops the compiler of a context that adds a schema.
          grandchild.addSchema({ $id: 'x', type: 'object' })
          grandchild.post('/dropped', { schema }, handler)
        })
      })
    },
    requests: ['/default', '/route', '/child', '/inner', '/dropped'].flatMap((url) =>
      [{ n: 1 }, { n: 1.5 }, { n: '1' }, { bad: true }].map((body) => post(url, body)),
    ),
  }))

test('compilers of a schema controller, and how often they are requested', () =>
  assertSame({
    options: () => ({}),
    build(app, note) {
      const factory = (name: string) => ({
        bucket: (parent?: object) => {
          note(name, 'bucket', parent)
          const store: Record<string, unknown> = { ...parent }
          return {
            add: (schema: { $id: string }) => void (store[schema.$id] = schema),
            getSchema: (id: string) => store[id],
            getSchemas: () => store,
          }
        },
        compilersFactory: {
          buildValidator: (externals: object, options: object) => {
            note(name, 'buildValidator', externals, options)
            return ({ schema, httpPart, method, url }: Record<string, unknown>) => {
              note(name, 'validator', schema, httpPart, method, url)
              return () => true
            }
          },
          buildSerializer: (externals: object, options: object) => {
            note(name, 'buildSerializer', externals, options)
            return ({ schema, httpStatus, contentType, method, url }: Record<string, unknown>) => {
              note(name, 'serializer', schema, httpStatus, contentType, method, url)
              return (data: unknown) => `${name} ${JSON.stringify(data)}`
            }
          },
        },
      })
      const schema = {
        headers: object({ 'X-Count': integer }, { required: ['X-Count'] }),
        querystring: { a: integer },
        params: { a: integer },
        response: {
          '2XX': object({ a: integer }),
          400: { content: { 'a/b': { schema: object({}) } } },
        },
      }
      const route = (context: FastifyInstance, url: string, method: 'GET' | 'POST' = 'GET') =>
        context.route({
          method,
          url,
          schema: structuredClone(schema),
          handler: async () => ({ a: 1 }),
        })
      route(app, '/root')
      app.register(async (child) => {
        child.addSchema({ $id: 'early' })
        child.setSchemaController(factory('child') as never)
        child.addSchema({ $id: 'late' })
        note(child.getSchemas(), child.getSchema('early'))
        route(child, '/child')
        route(child, '/child', 'POST')
        child.register(async (grandchild) => void route(grandchild, '/inner'))
        child.register(async (grandchild) => void grandchild.get('/none', async () => ({ a: 1 })))
      })
      app.register(async (child) => {
        child.setSchemaController({
          compilersFactory: { buildSerializer: factory('half').compilersFactory.buildSerializer },
        } as never)
        route(child, '/half')
      })
    },
    requests: ['/root', '/child', '/inner', '/none', '/half'].map((url) => ({
      url,
      headers: { 'x-count': '1' },
    })),
  }))

test('an inline $id is replaced by a shared one, however it is written, also in nested schemas', () =>
  assertSame({
    build(app) {
      const inner = { $id: 'inner', ...object({ q: integer }) }
      app.addSchema({ $id: 'outer', type: 'object', definitions: { inner } })
      app.addSchema({ $id: 'http://x.test/a/b.json', ...object({ q: integer }) })
      const other = object({ q: { type: 'boolean' } })
      for (const [i, $id] of [
        'inner',
        'inner#',
        'other',
        'outer#/definitions/inner',
        'http://x.test/a/../a/b.json',
        'HTTP://x.test/a/b.json',
        'http://x.test/a/c.json',
      ].entries()) {
        app.post(`/${i}`, { schema: { body: { $id, ...other } } }, echo)
      }
    },
    requests: [0, 1, 2, 3, 4, 5, 6].flatMap((i) => ['1', 'true'].map((q) => post(`/${i}`, { q }))),
  }))
