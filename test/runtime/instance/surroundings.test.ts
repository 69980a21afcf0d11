import { test } from 'node:test'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assertSame, tryAll } from '../../support/differential.ts'

test('decorators: values, accessors, symbols, dependencies, contexts', () =>
  assertSame({
    build(app, note) {
      const key = Symbol('key')
      app
        .decorate('value', { a: 1 })
        .decorate(key, 2)
        .decorate('method', function (this: FastifyInstance) {
          return this.prefix
        })
      app.decorate('accessor', { getter: () => 'got' } as never)
      app.decorateRequest('nothing', null).decorateRequest('text', 'x')
      app.decorateRequest('fn', function (this: FastifyRequest) {
        return this.url
      } as never)
      app.decorateReply('double', {
        getter(this: FastifyReply) {
          return this.statusCode * 2
        },
      } as never)
      tryAll(note, [
        () => app.decorate('value', 1),
        () => app.decorate('get', 1 as never),
        () => app.decorate('prefix', 1 as never),
        () => app.decorateRequest('text', 1),
        () => app.decorateRequest('id', 1),
        () => app.decorate('needs', 1, ['missing']),
        () => app.decorate('needs2', 1, ['value', 'method']),
        () => app.decorate('needs3', 1, 'value' as never),
        () => app.decorateRequest('needs4', 1, ['text', 'fn', 'url']),
        () => app.decorateRequest('needs5', 1, ['other']),
        () => app.decorateReply('needs6', 1, ['send', 'double']),
      ])
      note(
        app.hasDecorator('value'),
        app.hasDecorator(key),
        app.hasDecorator('nope'),
        app.hasRequestDecorator('text'),
        app.hasRequestDecorator('url'),
        app.hasRequestDecorator('x'),
        app.hasReplyDecorator('double'),
        app.hasReplyDecorator('send'),
      )
      const show = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
        const r = request as unknown as Record<string, unknown>
        const server = request.server as unknown as Record<string, unknown>
        return {
          keys: Object.keys(request),
          nothing: r.nothing,
          text: r.text,
          fn: (r.fn as () => string).call(r),
          double: (reply as unknown as Record<string, unknown>).double,
          child: r.child,
          value: server.value,
          late: server.late,
          same: request.server === reply.server,
        }
      }
      app.get('/', show)
      app.register(async (child) => {
        child.decorate('value', 'shadow')
        child.decorateRequest('child', 'of child')
        tryAll(note, [
          () => child.decorateRequest('text', 'again'),
          () => child.decorateRequest('fn', 'again'),
        ])
        note(
          (child as unknown as { method(): string }).method(),
          Object.getPrototypeOf(child) === app,
        )
        child.get('/child', show)
      })
      app.register(async (child) => void child.get('/sibling', show))
      app.after(() => {
        app.decorate('late', 'seen by all')
        app.decorateRequest('lateRequest', 'late')
      })
    },
    requests: ['/', '/child', '/sibling'],
  }))

test('request properties', () =>
  assertSame({
    options: () => ({
      rewriteUrl: (raw: { url: string }) => raw.url.replace('/old', '/new'),
      requestIdHeader: 'x-id',
    }),
    build(app) {
      const show = async (request: FastifyRequest): Promise<object> => {
        const { id, url, originalUrl, method, ip, hostname, protocol, is404, routeOptions } =
          request
        return {
          id,
          url,
          originalUrl,
          method,
          ip,
          hostname,
          protocol,
          is404,
          options: { ...routeOptions },
        }
      }
      app.get('/new/:x', { logLevel: 'warn', bodyLimit: 10 }, show)
      app.setNotFoundHandler(show)
    },
    requests: [
      '/old/1?a=1&a=2&b',
      { url: '/new/2', headers: { host: 'shop.test', 'x-id': 'own' } },
      '/none',
      { url: '/new/3', remoteAddress: '10.0.0.1' },
    ],
  }))

test('trusted proxies', async () => {
  // A number, and peers that are not trusted, are a matter of test/security.
  for (const trustProxy of [
    true,
    '10.0.0.0/8, 127.0.0.1',
    ['10.0.0.1', '127.0.0.1', '2.2.2.2'],
    (address: string) => address !== '1.1.1.1',
  ]) {
    await assertSame({
      options: () => ({ trustProxy }),
      build(app) {
        app.get('/', async ({ ip, ips, hostname, protocol }) => ({ ip, ips, hostname, protocol }))
      },
      requests: [
        '/',
        {
          url: '/',
          remoteAddress: '10.0.0.1',
          headers: {
            'x-forwarded-for': '1.1.1.1, 2.2.2.2',
            'x-forwarded-host': 'a.test, b.test',
            'x-forwarded-proto': 'https, http',
          },
        },
      ],
    })
  }
})

test('log lines', () =>
  assertSame({
    options: (stream) => ({ logger: { stream, level: 'info' } }),
    build(app) {
      app.get('/', async (request) => {
        request.log.info({ some: 'field' }, 'inside')
        return 'ok'
      })
      app.get('/quiet', { logLevel: 'error' }, async () => 'ok')
      app.get('/error', async () => {
        throw new Error('boom')
      })
      app.get('/400', async () => {
        throw Object.assign(new Error('bad'), { statusCode: 400 })
      })
      app.get('/twice', (_request, reply) => {
        reply.send('a')
        reply.send('b')
      })
      app.get(
        '/serializers',
        { logSerializers: { some: (value: unknown) => `<${String(value)}>` } } as never,
        async (request) => {
          request.log.warn({ some: 'field' })
          return 'ok'
        },
      )
      app.register(
        async (child) => {
          child.log.warn('in child')
          child.get('/p', async () => 'ok')
        },
        { prefix: '/p', logLevel: 'warn', logSerializers: { req: () => 'own' } },
      )
    },
    requests: ['/', '/quiet', '/error', '/400', '/twice', '/serializers', '/p/p', '/none'],
  }))
