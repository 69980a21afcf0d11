import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
import framework from 'framework'
import { assertSame, tryAll } from '../../support/differential.ts'

type App = ReturnType<typeof framework>

const handler = async (): Promise<string> => ''

test('a GET route has its own HEAD route besides those that match its path', () =>
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
      for (const url of '/:id /own/:id /own/static /own/:other/more /of/all /of/*'.split(' '))
        app.get(url, answer)
      app.register(async (child) => void child.get('/', answer), { prefix: '/of/child' })
    },
    requests: '/a /own/a /own/static /own/a/more /of/all /of/some /of/child /a/b'
      .split(' ')
      .flatMap((url) => [
        { method: 'HEAD' as const, url },
        { method: 'HEAD' as const, url, headers: { 'accept-version': '1.0.0' } },
      ]),
  }))

test('a path with a percent sign is a path like any other, also beside HEAD routes', async () => {
  const app = framework()
  app.get('/', async () => 'root')
  app.get('/100%', async () => 'all')
  const answers = await Promise.all(['/', '/100%25'].map((url) => app.inject(url)))
  const payloads = answers.map(({ payload }) => payload)
  assert.deepEqual(payloads, ['root', 'all'])
})

for (const [name, subjects] of [
  ['', {}],
  [' on Fastify 5', { line: 5 }],
] as const) {
  test(`changes of options after the start have no effect${name}`, () => {
    const declared: object[] = []
    const hooks: onRequestHookHandler[] = []
    return assertSame({
      ...subjects,
      build(app, note) {
        declared.length = hooks.length = 0
        app.addHook('onRoute', (options) => void declared.push(options))
        app.post('/', { onRequest: hooks }, async ({ routeOptions }) => routeOptions)
        hooks.push(async () => note('hook'))
        app.addHook('onReady', async () => {
          hooks.push(async () => note('late hook'))
          for (const options of declared) {
            const preHandler = async (): Promise<void> => note('late hook')
            Object.assign(options, {
              attachValidation: true,
              bodyLimit: 1,
              logLevel: 'warn',
              preHandler,
            })
          }
        })
      },
      requests: [{ method: 'POST', url: '/', payload: { more: 'than one byte' } }],
    })
  })
}

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
    whenReady: (app, note) => tryAll(note, [() => app.register(async () => {})]),
  }))

test('routes of a failed plugin answer with an error instead of skipping hooks and validation', async () => {
  const app = framework()
  const failed = async (child: App): Promise<void> => {
    child.addHook('onRequest', async () => assert.fail('The hook is not loaded'))
    child.get('/', handler)
    child.get('/checked', { schema: { querystring: { required: ['key'] } } }, handler)
    throw new Error('failed')
  }
  app.register(failed as never, { prefix: '/failed' }).after((error) => assert.ok(error))
  app.get('/', handler)
  const urls = ['/failed', '/failed/checked', '/']
  const answers = await Promise.all(urls.map((url) => app.inject(url)))
  const statuses = answers.map(({ statusCode }) => statusCode)
  assert.deepEqual(statuses, [500, 500, 200])
})
