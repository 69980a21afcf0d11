import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
import framework from 'framework'
import { assertSame, tryAll, type Note } from '../../support/differential.ts'

const handler = async (request: FastifyRequest): Promise<object> => {
  const { method, url, params, query } = request
  const { routerPath, routerMethod } = request as FastifyRequest & {
    routerPath: string
    routerMethod: string
  }
  return { method, url, params, query, routerPath, routerMethod, is404: request.is404 }
}

/** Notes the arguments of an `onRoute` hook. */
function noteRoute(note: Note): (options: RouteOptions) => void {
  return (options) => {
    const { method, url, path, routePath, prefix, logLevel, attachValidation } =
      options as RouteOptions & Record<string, unknown>
    note(
      'onRoute',
      method,
      url,
      path,
      routePath,
      prefix,
      logLevel,
      attachValidation,
      Object.keys(options).sort(),
    )
  }
}

test('routes under prefixes, with and without their trailing slash', async () => {
  for (const options of [
    {},
    { ignoreTrailingSlash: true },
    { ignoreDuplicateSlashes: true },
    { exposeHeadRoutes: false },
    { caseSensitive: false },
  ]) {
    await assertSame({
      options: () => options,
      build(app, note) {
        app.addHook('onRoute', noteRoute(note))
        for (const prefix of ['/v1', '/v2/', 'v3']) {
          app.register(
            async (child) => {
              child.get('/', handler)
              child.get('/a', { config: { x: 1 } as never, exposeHeadRoute: true }, handler)
              child.post('/', { prefixTrailingSlash: 'slash' }, handler)
              child.put('/', { prefixTrailingSlash: 'no-slash' }, handler)
              child.get(
                '',
                {
                  prefixTrailingSlash: 'both',
                  exposeHeadRoute: false,
                  constraints: { host: 'other.test' },
                },
                handler,
              )
              child.register(async (inner) => void inner.get('/', handler), { prefix: '/inner' })
              child.head('/head', handler)
            },
            { prefix, logLevel: 'warn' },
          )
        }
      },
      whenReady: (app, note) =>
        note(
          app.hasRoute({ method: 'GET', url: '/v1/a' }),
          app.hasRoute({ method: 'GET', url: '/v1/b' }),
        ),
      requests: ['GET', 'HEAD', 'POST', 'PUT'].flatMap((method) =>
        [
          '/v1',
          '/v1/',
          '/v1/a',
          '/v1/a/',
          '//v1//a',
          '/V1/A',
          '/v2',
          '/v2/',
          '/v2/a',
          '/v2//a',
          '/v3',
          '/v3/a',
          '/v1/inner',
          '/v1/inner/',
          '/v2/inner',
          '/v1/head',
        ].map((url) => ({ method: method as 'GET', url })),
      ),
    })
  }
})

test('HEAD routes beside GET routes', () =>
  assertSame({
    build(app, note) {
      app.addHook('onRoute', noteRoute(note))
      app.head('/first', (_request, reply) => void reply.header('x-own', 'head').send())
      app.get('/first', handler)
      app.get('/second', { onSend: async () => note('onSend of the route') }, handler)
      app.post('/second', handler)
      tryAll(note, [() => app.head('/second', handler)])
      app.get('/lower', { method: 'get' } as never, handler)
      app.route({ method: ['GET', 'POST'], url: '/list', handler })
      app.route({ method: 'get' as 'GET', url: '/lower/case', handler })
      app.get('/stream', (_request, reply) => void reply.send(Buffer.from('bytes')))
      app.get('/nothing', (_request, reply) => void reply.send())
      app.get('/error', () => {
        throw new Error('error')
      })
      app.get('/:param', handler)
    },
    requests: [
      '/first',
      '/second',
      '/x',
      '/list',
      '/lower',
      '/lower/case',
      '/stream',
      '/nothing',
      '/error',
    ].flatMap((url) => [
      { method: 'HEAD' as const, url },
      { method: 'GET' as const, url },
    ]),
  }))

test('a GET route has a HEAD route of its own beside those that match its path', () =>
  assertSame({
    oracle: fastify5,
    build(app, note) {
      app.addHook('onRoute', ({ method, url, constraints }) => note(method, url, constraints))
      const answer = async (
        { routeOptions }: FastifyRequest,
        reply: FastifyReply,
      ): Promise<string> => {
        reply.header('x-route', routeOptions.url)
        return ''
      }
      app.setNotFoundHandler((_request, reply) => void reply.code(404).send(''))
      app.head('/own/:id', answer)
      app.head('/of/all', { constraints: { version: '1.0.0' } }, answer)
      app.head('*', answer)
      for (const url of [
        '/:id',
        '/own/:id',
        '/own/static',
        '/own/:other/more',
        '/of/all',
        '/of/*',
      ]) {
        app.get(url, answer)
      }
      app.register(async (child) => void child.get('/', answer), { prefix: '/of/child' })
    },
    requests: [
      '/a',
      '/own/a',
      '/own/static',
      '/own/a/more',
      '/of/all',
      '/of/some',
      '/of/child',
      '/a/b',
    ].flatMap((url) => [
      { method: 'HEAD' as const, url },
      { method: 'HEAD' as const, url, headers: { 'accept-version': '1.0.0' } },
    ]),
  }))

test('a path with a percent sign is a path like any other, also beside HEAD routes', async () => {
  const app = framework()
  app.get('/', async () => 'root')
  app.get('/100%', async () => 'all')
  const answers = await Promise.all(['/', '/100%25'].map((url) => app.inject(url)))
  assert.deepEqual(
    answers.map(({ payload }) => payload),
    ['root', 'all'],
  )
})

test('route declarations that are refused', () =>
  assertSame({
    build(app, note) {
      tryAll(note, [
        () => app.get(12 as never, handler),
        () => app.get('/', 'options' as never, handler),
        () => app.get('/', {} as never),
        () => app.get('/', { handler } as never, handler),
        () => app.get('/', { handler: 'x' } as never, handler),
        () => app.get('/', { errorHandler: 'x' } as never, handler),
        () => app.get('/', { bodyLimit: 'x' } as never, handler),
        () => app.get('/', { bodyLimit: -5 }, handler),
        () => app.get('/', { onRequest: 'x' } as never, handler),
        () => app.get('/', { onRequest: [handler, null] } as never, handler),
        () => app.get('/', { preHandler: null } as never, handler),
        () => app.route({ method: 'NOPE', url: '/', handler } as never),
        () => app.route({ method: 12, url: '/', handler } as never),
        () => app.route({ method: ['GET', 'NOPE'], url: '/', handler } as never),
        () => app.route({ url: '/', handler } as never),
        () => app.route({ method: 'GET', handler } as never),
        () => app.route({ method: 'GET', url: 'x', handler }),
        () => app.route({ method: 'GET', url: '/same', handler }),
        () => app.route({ method: 'GET', url: '/same', handler }),
        () => app.get('/(x)*y/z', handler),
        () => app.addHook('onRequest', null as never),
        () =>
          app.addHook('onRequest', (async (_a: unknown, _b: unknown, _c: unknown) => {}) as never),
        () =>
          app.addHook('onSend', (async (
            _a: unknown,
            _b: unknown,
            _c: unknown,
            _d: unknown,
          ) => {}) as never),
        () => app.addHook('onReady', (async (_a: unknown) => {}) as never),
        () => app.addHook('onRequestAbort', (async (_a: unknown, _b: unknown) => {}) as never),
        () => app.setNotFoundHandler(handler),
        () => app.setNotFoundHandler(handler),
      ])
    },
    whenReady(app, note) {
      tryAll(note, [
        () => app.get('/late', handler),
        () => app.addHook('onRequest', async () => {}),
        () => app.setErrorHandler(() => {}),
        () => app.setNotFoundHandler(handler),
        () => app.decorate('late', 1),
        () => app.decorateRequest('late', 1),
        () => app.decorateReply('late', 1),
        () => app.setReplySerializer(() => ''),
        () => app.setSchemaController({} as never),
        () => app.setChildLoggerFactory((logger) => logger),
        () => app.addConstraintStrategy({} as never),
        () => app.register(async () => {}),
      ])
    },
  }))

test('onRoute hooks change the route', () =>
  assertSame({
    build(app, note) {
      app.addHook('onRoute', function (this: FastifyInstance, options) {
        note('root sees', options.method, options.url, this.prefix)
        options.config = { ...options.config, added: true } as never
        options.preHandler = [async (_request, reply) => void reply.header('x-added', 'yes')]
        const { handler: original } = options
        options.handler = async function (this: FastifyInstance, request, reply) {
          return {
            wrapped: await (
              original as never as (this: unknown, ...args: unknown[]) => unknown
            ).call(this, request, reply),
          }
        }
        if (options.url === '/limited') options.bodyLimit = 3
        options.schema = { querystring: { type: 'object', properties: { n: { type: 'integer' } } } }
      })
      app.get(
        '/',
        { config: { own: 1 } as never },
        async function (this: FastifyInstance, request) {
          return {
            prefix: this.prefix,
            config: request.routeConfig,
            query: request.query,
            schema: request.routeSchema,
          }
        },
      )
      app.post('/limited', handler)
      app.register(async (child) => {
        child.addHook('onRoute', (options) => {
          note('child sees', options.method, options.url)
          options.onSend = (_request, _reply, payload, done) => done(null, `${String(payload)}!`)
        })
        child.get('/child', handler)
      })
      app.register(async (child) => void child.get('/sibling', handler), { prefix: '/p' })
    },
    requests: [
      '/?n=1',
      '/?n=x',
      { method: 'POST', url: '/limited', payload: { a: 1 } },
      '/child',
      { method: 'HEAD', url: '/child' },
      '/p/sibling',
    ],
  }))

test('constraints by version, host and own strategies', () =>
  assertSame({
    options: () => ({
      constraints: {
        secret: {
          name: 'secret',
          storage: () => {
            const store = new Map<string, unknown>()
            return {
              get: (key: string) => store.get(key) ?? null,
              set: (key: string, value: unknown) => void store.set(key, value),
            }
          },
          deriveConstraint: (raw: { headers: Record<string, string> }) => raw.headers['x-secret'],
          mustMatchWhenDerived: true,
        },
      },
    }),
    build(app, note) {
      const named = (name: string) => async (): Promise<object> => ({ name })
      app.get('/', named('plain'))
      app.get('/', { constraints: { version: '1.2.0' } }, named('1.2.0'))
      app.get('/', { constraints: { version: '2.0.0' } }, named('2.0.0'))
      app.get('/', { constraints: { host: 'a.test' } }, named('a.test'))
      app.get('/', { constraints: { secret: 'alpha' } }, named('alpha'))
      app.get('/old', { version: '1.0.0' } as never, named('old'))
      note(
        app.hasConstraintStrategy('version'),
        app.hasConstraintStrategy('secret'),
        app.hasConstraintStrategy('x'),
      )
      tryAll(note, [
        () => app.get('/', { constraints: { version: 5 } } as never, named('bad')),
        () => app.get('/', { constraints: { nope: 1 } } as never, named('bad')),
      ])
      app.setNotFoundHandler(
        (request, reply) =>
          void reply.code(404).send({ version: request.headers['accept-version'] ?? 'none' }),
      )
    },
    requests: [
      '/',
      ...['1.x', '1.2.0', '2.0.0', '3.0.0', 'x'].map((version) => ({
        url: '/',
        headers: { 'accept-version': version },
      })),
      { url: '/', headers: { host: 'a.test' } },
      { url: '/', headers: { 'x-secret': 'alpha' } },
      { url: '/', headers: { 'x-secret': 'beta' } },
      { url: '/old', headers: { 'accept-version': '1.0.0' } },
      '/old',
    ],
  }))

test('errors before there is a route', async () => {
  for (const own of [false, true]) {
    await assertSame({
      options: () =>
        own
          ? {
              frameworkErrors: (
                error: Error & { code: string },
                request: FastifyRequest,
                reply: FastifyReply,
              ) => {
                reply.code(418).send({
                  code: error.code,
                  message: error.message,
                  id: typeof request.id,
                  is404: request.is404,
                })
              },
            }
          : {},
      build(app) {
        app.get('/:x', handler)
        app.addConstraintStrategy({
          name: 'later',
          storage: () => ({ get: () => null, set: () => {}, del: () => {}, empty: () => {} }),
          deriveConstraint: (
            _raw: unknown,
            _ctx: unknown,
            done: (error: Error | null, value?: unknown) => void,
          ) => done(new Error('no')),
          validate: () => {},
        } as never)
      },
      requests: ['/%zz', '/a%20b', '/%E0%A4%A', '/x'],
    })
    await assertSame({
      build(app) {
        app.get('/', { constraints: { later: 'x' } } as never, handler)
      },
      options: () => ({
        constraints: {
          later: {
            name: 'later',
            storage: () => ({ get: () => null, set: () => {} }),
            deriveConstraint: (
              _raw: unknown,
              _ctx: unknown,
              done: (error: Error | null, value?: unknown) => void,
            ) => done(new Error('no')),
          },
        },
      }),
      requests: ['/'],
    })
  }
})

test('the printed tree of routes', () =>
  assertSame({
    build(app) {
      app.addHook('onRequest', async function rootHook() {})
      app.get('/', handler)
      app.get(
        '/a/:id',
        {
          onSend: [async function own() {}],
          errorHandler: function ownErrors() {} as never,
          logLevel: 'warn',
        },
        handler,
      )
      app.register(async (child) => {
        child.setErrorHandler(function childErrors() {})
        child.post('/b', { constraints: { host: 'x.test' } }, handler)
      })
    },
    whenReady(app, note) {
      note(app.printRoutes())
      note(app.printRoutes({ commonPrefix: false }))
      note(app.printRoutes({ includeHooks: true }))
      note(app.printRoutes({ includeMeta: ['errorHandler', 'logLevel', 'onSend'] }))
      note(app.printRoutes({ includeHooks: true, includeMeta: ['errorHandler'] }))
      note(app.printRoutes({ includeMeta: true }))
      note(app.printRoutes({ method: 'POST' } as never))
    },
  }))
