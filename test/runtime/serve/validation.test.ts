import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
import framework from 'framework'
import { assertSame, tryAll } from '../../support/differential.ts'
import { echo, integer, object, post, text } from '../../support/request-schemas.ts'

test('an invalid request is logged without the stack of who has noticed it', async () => {
  const { stackTraceLimit } = Error
  const app = framework()
  app.post('/', { schema: { body: object({ n: integer }) } }, async () => 'valid')
  app.setErrorHandler((error, _request, reply) => reply.code(400).send({ stack: error.stack }))
  const { stack } = (await app.inject(post('/', { n: 'x' }))).json<{ stack: string }>()
  assert.equal(stack, 'Error: body/n must be integer')
  assert.equal(Error.stackTraceLimit, stackTraceLimit)
})

test('an invalid request is refused where the length of stacks is frozen', async (t) => {
  const app = framework()
  app.post('/', { schema: { body: object({ n: integer }) } }, async () => 'valid')
  await app.ready()
  const limit = { value: Error.stackTraceLimit, configurable: true, enumerable: true }
  t.after(() => Object.defineProperty(Error, 'stackTraceLimit', { ...limit, writable: true }))
  Object.defineProperty(Error, 'stackTraceLimit', { ...limit, writable: false })
  const response = await app.inject(post('/', { n: 'x' }))
  assert.equal(response.json<{ message: string }>().message, 'body/n must be integer')
  assert.equal(response.statusCode, 400)
})

test('places and data stand in errors, whatever syntax an Ajv writes', () =>
  assertSame({
    options: () => ({
      ajv: { customOptions: { $data: true, code: { es5: true } } },
    }),
    build(app, note) {
      const limits = { low: integer, high: { ...integer, minimum: { $data: '/low' } } }
      const handler = async ({ validationError }: FastifyRequest): Promise<unknown> => {
        note(validationError?.validation)
        return 'seen'
      }
      const options = { attachValidation: true, schema: { body: object(limits) } }
      app.post('/compiled', options, handler)
      const own = new Ajv({ $data: true, code: { es5: true } })
      const validatorCompiler = ({ schema }: { schema: object }): unknown => own.compile(schema)
      app.post('/own', { ...options, validatorCompiler: validatorCompiler as never }, handler)
    },
    requests: ['/compiled', '/own'].flatMap((url) => [
      post(url, { low: 2, high: 1 }),
      post(url, { low: 2, high: 3 }),
      post(url, { high: 'x' }),
      post(url, []),
    ]),
  }))

test('parts are checked in order, and what they make of the values is seen', () =>
  assertSame({
    build(app, note) {
      for (const name of [
        'preValidation',
        'preHandler',
        'preSerialization',
        'onError',
        'onSend',
        'onResponse',
      ] as const) {
        app.addHook(name as 'onSend', async () => note(name))
      }
      const schema = {
        params: object({ id: integer }),
        querystring: object(
          { page: { type: 'integer', default: 1 }, tags: { type: 'array', items: text } },
          { required: ['page'] },
        ),
        body: object(
          { n: integer, flag: { type: 'boolean' } },
          { required: ['n'], additionalProperties: false },
        ),
        headers: object({ 'X-Count': integer }, { required: ['X-Count'] }),
      }
      app.post('/:id', { schema }, echo)
      app.post('/attach/:id', { schema, attachValidation: true }, echo)
      app.delete('/:id', { schema: { body: schema.body } }, echo)
    },
    requests: [
      post('/1?tags=a', { n: '5', flag: 'true', more: 1 }, { 'x-count': '7' }),
      post('/x', { n: 'x' }),
      post('/1?page=x', { n: 'x' }),
      post('/1?page=x', { n: 1 }),
      post('/1', { n: 1 }),
      post('/1', {}, { 'x-count': 1 }),
      post('/1', undefined, { 'x-count': 1 }),
      post('/1?tags=a&tags=b', { n: 1 }, { 'X-COUNT': 'abc' }),
      post('/attach/x', { n: 'x' }),
      post('/attach/1', { n: 1 }, { 'x-count': '3' }),
      { method: 'DELETE', url: '/1' },
      { method: 'DELETE', url: '/1', payload: { n: 1 } },
    ],
  }))

const results: Record<string, () => unknown> = {
  true: () => true,
  undefined: () => undefined,
  falseWithoutErrors: () => false,
  value: () => ({ value: { replaced: true } }),
  error: () => ({ error: new Error('plain') }),
  coded: () => ({
    error: Object.assign(new Error('coded'), {
      statusCode: 422,
      code: 'OWN',
      validationContext: 'own',
    }),
  }),
  list: () => ({
    error: [{ instancePath: '/a', message: 'is bad' }, { message: 'is worse' }],
  }),
  text: () => ({ error: 'no' }),
  throws: () => {
    throw new Error('thrown')
  },
  resolves: async () => true,
  resolvesValue: async () => ({ value: { replaced: 'later' } }),
  resolvesError: async () => ({ error: new Error('later') }),
  resolvesFalse: async () => false,
  rejects: async () => {
    throw Object.assign(new Error('rejected'), { statusCode: 499 })
  },
  rejectsNothing: async () => {
    throw undefined
  },
}

test('results of validators of other libraries', () =>
  assertSame({
    build(app, note) {
      app.setErrorHandler((error, _request, reply) => {
        note(error)
        reply.send(error)
      })
      for (const [name, result] of Object.entries(results)) {
        const options = (part: string): object => ({
          schema: { [part]: object({}), querystring: object({ q: integer }) },
          validatorCompiler: ({ httpPart }: { httpPart: string }) =>
            httpPart === part
              ? result
              : (data: { q?: string }) =>
                  data.q === 'x' ? { error: new Error('bad query') } : true,
        })
        app.post(`/body/${name}`, options('body'), echo)
        app.post(`/params/${name}`, options('params'), echo)
        app.post(`/headers/${name}`, options('headers'), echo)
        app.post(`/attach/${name}`, { ...options('body'), attachValidation: true }, echo)
      }
    },
    requests: Object.keys(results).flatMap((name) =>
      ['body', 'params', 'headers', 'attach'].flatMap((part) => [
        post(`/${part}/${name}`, { a: 1 }),
        post(`/${part}/${name}?q=x`, { a: 1 }),
      ]),
    ),
  }))

test('header names in shared schemas are in lower case for headers only', () =>
  assertSame({
    // Fastify, with lower case where it leaves the names as they are.
    oracle: (options: object) => Object.assign(fastify(options), { isOracle: true }),
    build(app) {
      const key = 'isOracle' in app ? 'x-key' : 'X-Key'
      const keys = object({ [key]: integer, 'X-Body': integer }, { required: [key] })
      app.addSchema({ $id: 'keys', ...keys })
      app.addSchema({ $id: 'chain', allOf: [{ $ref: 'keys#' }] })
      app.addSchema({ $id: 'body', ...object({ 'X-Key': integer }, { required: ['X-Key'] }) })
      const pointer = { 'X-Other': { $ref: `keys#/properties/${key}` } }
      for (const [url, schema] of Object.entries({
        '/direct': { headers: { $ref: 'keys#' } },
        '/chain': { headers: { type: 'object', allOf: [{ $ref: 'chain#' }] } },
        '/pointer': { headers: object(pointer) },
        '/both': { headers: { $ref: 'keys#' }, body: { $ref: 'body#' } },
        '/body': { body: { $ref: 'body#' } },
      })) {
        app.post(url, { schema }, async ({ body, headers }) => [body, headers['x-key']])
      }
    },
    requests: ['/direct', '/chain', '/pointer', '/both', '/body'].flatMap((url) => [
      post(url, { 'X-Key': '1' }, { 'X-KEY': '1', 'x-other': '2' }),
      post(url, { 'x-key': '1' }, { 'x-key': 'a', 'x-other': '2' }),
      post(url, { 'X-Key': '1' }, { 'x-other': 'b' }),
    ]),
  }))

test('falsy values of validators replace the part', () =>
  assertSame({
    oracle: fastify5,
    build(app, note) {
      for (const [name, value] of Object.entries({
        false: false,
        0: 0,
        '': '',
        null: null,
        no: undefined,
      })) {
        for (const part of ['body', 'params', 'querystring', 'headers']) {
          const options = { schema: { [part]: {} }, validatorCompiler: () => () => ({ value }) }
          app.post(`/${part}/${name}`, options, async ({ body, params, query }) => {
            note(part, name, typeof body, body, typeof params, params, typeof query, query)
          })
        }
      }
    },
    requests: ['body', 'params', 'querystring', 'headers'].flatMap((part) =>
      ['false', '0', '', 'null', 'no'].map((name) => post(`/${part}/${name}?a=1`, { a: 1 })),
    ),
  }))

test('a compiler of the application that leaves parts unchecked', () =>
  assertSame({
    build(app) {
      const schema = { querystring: object({ q: integer }), body: object({ n: integer }) }
      const validatorCompiler = ({ httpPart }: { httpPart?: string | undefined }): never =>
        (httpPart === 'body' ? () => ({ error: new Error('never fits') }) : undefined) as never
      app.get('/', { schema: { querystring: schema.querystring }, validatorCompiler }, echo)
      app.post('/', { schema, validatorCompiler }, async (request) => [
        request.getValidationFunction('querystring') === undefined,
      ])
    },
    requests: ['/?q=x', post('/?q=x', { n: 1 })],
  }))

test('error formatters of route, context and factory', () =>
  assertSame({
    options: () => ({
      schemaErrorFormatter(this: FastifyInstance, errors: { message: string }[], part: string) {
        return Object.assign(new Error(`factory ${part} ${errors[0]?.message} [${this.prefix}]`), {
          code: 'OWN',
        })
      },
    }),
    build(app) {
      const schema = { body: object({ n: integer }) }
      app.post('/factory', { schema }, echo)
      app.register(
        async (child) => {
          child.post('/before', { schema }, echo)
          child.setSchemaErrorFormatter(function (this: FastifyInstance, _errors, part) {
            return Object.assign(new Error(`child ${part} [${this.prefix}]`), { statusCode: 411 })
          })
          child.post('/child', { schema }, echo)
          child.register(async (inner) => void inner.post('/inner', { schema }, echo), {
            prefix: '/inner',
          })
          child.post(
            '/route',
            {
              schema,
              schemaErrorFormatter: (errors, part) => new Error(`route ${part} ${errors.length}`),
            },
            echo,
          )
          child.post(
            '/throws',
            {
              schema,
              schemaErrorFormatter: () => {
                throw new Error('formatter')
              },
            },
            echo,
          )
        },
        { prefix: '/p' },
      )
    },
    requests: ['/factory', '/p/before', '/p/child', '/p/inner/inner', '/p/route', '/p/throws'].map(
      (url) => post(url, { n: 'x' }),
    ),
  }))

test('compiling for a request', () =>
  assertSame({
    build(app, note) {
      const body = object({ n: integer })
      const other = object({ m: integer }, { required: ['m'] })
      app.post(
        '/:id',
        {
          schema: {
            body,
            params: object({ id: integer }),
            response: {
              200: object({ a: integer }),
              '3xx': { content: { 'a/b': { schema: object({ b: text }) } } },
            },
          },
        },
        async (request, reply) => {
          note(
            typeof request.getValidationFunction('body'),
            typeof request.getValidationFunction('query' as never),
            typeof request.getValidationFunction('params'),
          )
          note(
            typeof request.getValidationFunction(other as never),
            typeof request.getValidationFunction(12 as never),
          )
          const validate = request.compileValidationSchema(other)
          note(
            validate({}),
            (validate as { errors?: unknown }).errors,
            validate({ m: 1 }),
            (validate as { errors?: unknown }).errors,
          )
          note(
            validate === request.compileValidationSchema(other),
            validate === request.getValidationFunction(other as never),
          )
          tryAll(note, [
            () => note(request.validateInput({ n: 'x' }, 'body')),
            () => note(request.validateInput({ m: 1 }, other)),
            () => note(request.validateInput({ m: 'x' }, other, 'body')),
            () => note(request.validateInput({}, 'querystring' as never)),
            () => note(request.validateInput({}, undefined as never)),
            () => note(request.validateInput({}, [] as never, 'headers')),
            () => note(reply.serializeInput({ a: 1.5, b: 1 }, 200 as never)),
            () => note(reply.serializeInput({ a: 1 }, '201')),
            () => note(reply.serializeInput({ b: 1 }, '3xx', 'a/b' as never)),
            () => note(reply.serializeInput({ b: 1 }, '3xx', 'x/y' as never)),
            () => note(reply.serializeInput({ m: '4' }, other as never)),
          ])
          note(
            typeof reply.getSerializationFunction('200'),
            typeof reply.getSerializationFunction('2xx'),
            typeof reply.getSerializationFunction('3xx'),
            typeof reply.getSerializationFunction('3xx', 'a/b'),
            typeof reply.getSerializationFunction(other as never),
          )
          const serialize = reply.compileSerializationSchema(other as never)
          note(
            serialize({ m: 1.2, n: 1 }),
            serialize === reply.compileSerializationSchema(other as never),
          )
          return { a: '5' }
        },
      )
    },
    requests: [post('/1', { n: 1 })],
  }))
