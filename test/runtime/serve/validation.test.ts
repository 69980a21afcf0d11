import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import fastify, { type FastifyRequest } from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
import framework from 'framework'
import { assertSame } from '../../support/differential.ts'
import { echo, integer, object, post } from '../../support/request-schemas.ts'

test('an invalid request is logged without a stack', async () => {
  const { stackTraceLimit } = Error
  const app = framework()
  app.post('/', { schema: { body: object({ n: integer }) } }, async () => 'valid')
  app.setErrorHandler<Error>((error, _request, reply) =>
    reply.code(400).send({ stack: error.stack }),
  )
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

test('paths and data in errors, for each syntax of Ajv', () =>
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
