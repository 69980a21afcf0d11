/** Servers and requests, compared with Fastify. */
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { assertSameOnConnections } from '../../support/connections.ts'
import { assertSame, tryAll } from '../../support/differential.ts'
import { getRaw } from '../../support/wire.ts'

test('plugins use the server: their own requests, and their own closing', () =>
  assertSameOnConnections({
    build(app, note) {
      const { close } = app.server
      app.server.close = ((done: (error?: Error) => void) => {
        note('own close', typeof done)
        return close.call(app.server, done)
      }) as never
      app.addHook('onClose', async () => note('onClose'))
      app.get('/inner', async ({ headers }) => ({ from: headers.from }))
      app.get('/outer', (_request, reply) => {
        reply.hijack()
        const raw = { method: 'GET', url: '/inner', headers: { from: 'a plain object' } }
        app.routing(raw as never, reply.raw as never)
      })
    },
    async talk({ port, note }) {
      note(await getRaw(port, '/outer'))
      note(await getRaw(port, '/inner', 'From: the wire'))
    },
  }))

const properties = [
  ...(['id', 'url', 'originalUrl', 'method'] as const),
  ...(['ip', 'hostname', 'protocol', 'is404'] as const),
]

test('request properties', () =>
  assertSame({
    options: () => ({
      rewriteUrl(this: { version: string }, { url }: { url: string }) {
        return url === '/number' ? 1 : url.replace('/old', this.version ? '/new' : '/none')
      },
      requestIdHeader: 'x-id',
    }),
    build(app) {
      const show = async (request: FastifyRequest): Promise<object> => ({
        ...Object.fromEntries(properties.map((name) => [name, request[name]])),
        options: { ...request.routeOptions },
      })
      app.get('/new/:x', { logLevel: 'warn', bodyLimit: 10 }, show)
      app.setNotFoundHandler(show)
    },
    requests: [
      '/old/1?a=1&a=2&b',
      { url: '/new/2', headers: { host: 'shop.test', 'x-id': 'own' } },
      '/none',
      '/number',
      { url: '/new/3', remoteAddress: '10.0.0.1' },
    ],
  }))

test('decorators that depend on others', () =>
  assertSame({
    build(app, note) {
      app.decorate('value', 1).decorateRequest('text', 'x').decorateReply('double', 2)
      tryAll(note, [
        () => app.decorate('one', 1, ['missing']),
        () => app.decorate('two', 1, ['value', 'get']),
        () => app.decorateRequest('three', 1, ['text', 'url']),
        () => app.decorateRequest('four', 1, ['missing']),
        () => app.decorateReply('five', 1, ['send', 'double']),
        () => app.decorateReply('six', 1, ['missing']),
      ])
    },
    requests: [],
  }))
