/** Values that an application shouldn't pass: each has the same result as on Fastify. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import framework from 'framework'
import { assertSame, tryAll } from '../../support/differential.ts'

test('headers that are null', () =>
  assertSame({
    build(app, note) {
      app.addHook('onError', async (_request, _reply, error) => note(error.name))
      // The message of the TypeError contains names from the code.
      app.setErrorHandler((_error, _request, reply) => reply.code(500).send('handled'))
      app.get('/header', (_request, reply) => {
        reply.header('x-null', null)
        note(reply.getHeader('x-null'), reply.hasHeader('x-null'), reply.getHeaders())
        reply.removeHeader('x-null').send('done')
      })
      for (const [url, payload] of Object.entries({
        '/text': 'text',
        '/object': { a: 1 },
        '/buffer': Buffer.from('buffer'),
        '/nothing': undefined,
      })) {
        app.get(url, (_request, reply) => reply.type(null as never).send(payload))
      }
    },
    requests: ['/header', '/text', '/object', '/buffer', '/nothing'],
  }))

test('content types that are lists', () =>
  assertSame({
    build(app) {
      app.get('/text', (_request, reply) => reply.type(['text/html'] as never).send('text'))
      app.get('/raw', (_request, reply) => {
        reply.raw.setHeader('content-type', ['text/html'])
        reply.send('text')
      })
      app.get('/object', (_request, reply) => reply.type(['text/html'] as never).send({}))
    },
    requests: ['/text', '/raw', '/object'],
  }))

for (const [name, oracle] of [
  ['', {}],
  [' on Fastify 5', { line: 5 }],
] as const) {
  test(`receivers of methods, and options of other types${name}`, () =>
    assertSame({
      ...oracle,
      build(app, note) {
        const querystring = { type: 'object', required: ['a'] }
        app.get('/', (_request, reply) => {
          reply.serializer(function (this: unknown) {
            return String(this === reply)
          })
          note(reply.serialize({}))
          reply.type('text/html').send('')
        })
        app.get('/object', (_request, reply) =>
          reply
            .serializer(function (this: unknown) {
              return String(this === reply)
            })
            .send({}),
        )
        const errorHandler = function (this: unknown, ...[, , reply]: unknown[]): void {
          ;(reply as FastifyReply).send(String(this))
        }
        app.get('/error', { errorHandler }, () => Promise.reject(new Error('failed')))
        for (const attachValidation of ['', 0, null] as never[]) {
          const options = { attachValidation, schema: { querystring } }
          app.get(
            `/attach${attachValidation}`,
            options,
            async (request) => `${request.validationError}`,
          )
        }
        const hook = (...[, , , done]: unknown[]): void => (done as (error: unknown) => void)(false)
        app.get('/hooks', { preSerialization: hook, onSend: hook }, async () => ({}))
        const prefixed = async (child: FastifyInstance): Promise<void> =>
          void child.get('/', async () => 'prefixed')
        app.register(prefixed, { prefix: 5 as never })
        tryAll(note, [() => app.setNotFoundHandler({}, 'none' as never)])
      },
      whenReady(app, note) {
        note(app.printRoutes({ includeHooks: true, includeMeta: 'logLevel' as never }))
        note(app.printRoutes({ includeHooks: true, includeMeta: true as never }))
      },
      requests: [
        '/',
        '/object',
        '/error',
        '/attach',
        '/attach0',
        '/attachnull',
        '/5',
        '/hooks',
        '/missing',
      ],
    }))
}

test('a serializer compiler that returns no function', () =>
  assertSame({
    build(app) {
      const schema = { response: { 200: { type: 'object', properties: {} } } }
      for (const [url, compiled] of Object.entries({ '/number': 5, '/none': undefined })) {
        const serializerCompiler = (): never => compiled as never
        app.get(url, { schema, serializerCompiler }, async () => ({ secret: 1 }))
      }
    },
    requests: ['/number', '/none'],
  }))

test('an error before there is a route that is passed on', () =>
  assertSame({
    options: (lines) => ({
      logger: { stream: lines },
      frameworkErrors: (error: Error, _request: FastifyRequest, reply: FastifyReply) =>
        reply.send(error),
    }),
    build(app, note) {
      app.get('/:x', async () => 'found')
      app.setErrorHandler((_error, _request, reply) => reply.send('never'))
      app.setChildLoggerFactory((logger, bindings, options) => {
        note('a logger', bindings)
        return logger.child(bindings, options)
      })
    },
    requests: ['/%zz', '/x'],
  }))

test('a route that an onRoute hook moves', () =>
  assertSame({
    build(app) {
      app.addHook('onRoute', (route) => {
        if (route.url === '/from') route.url = '/to'
      })
      app.get('/from', async ({ url, routeOptions }) => [url, routeOptions.url])
      app.head('/to/head', async () => '')
      app.get('/to/head', { exposeHeadRoute: true }, async () => 'get')
    },
    whenReady: (app, note) => note(app.printRoutes()),
    requests: ['/from', '/to', { method: 'HEAD', url: '/from' }, { method: 'HEAD', url: '/to' }],
  }))

test("a handler of client errors that isn't a function", () => {
  for (const factory of [fastify, framework] as ((options: object) => unknown)[]) {
    assert.throws(() => factory({ clientErrorHandler: 5 }), TypeError)
    assert.doesNotThrow(() => factory({ clientErrorHandler: false }))
  }
})
