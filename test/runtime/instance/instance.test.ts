/** Methods of instances other than routes, compared with Fastify. */
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { createServer, type RequestListener } from 'node:http'
import { test } from 'node:test'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import framework from 'framework'
import { assertSameOnConnections, exchange } from '../../support/connections.ts'
import { assertSame, type Note } from '../../support/differential.ts'

const get = (path: string, ...headers: readonly string[]): string[] => [
  `GET ${path} HTTP/1.1`,
  'Host: a.test',
  'Connection: close',
  ...headers,
  '',
  '',
]

test('the diagnostics channel tells of each application, before anything is declared', () => {
  for (const factory of [fastify, framework] as unknown as (() => FastifyInstance)[]) {
    const seen: unknown[] = []
    const listener = (message: unknown): void => void seen.push(message)
    diagnostics.subscribe('fastify.initialization', listener)
    const app = factory()
    diagnostics.unsubscribe('fastify.initialization', listener)
    factory()
    assert.equal(seen.length, 1)
    assert.deepEqual(Object.keys(seen[0] as object), ['fastify'])
    assert.equal((seen[0] as { fastify: unknown }).fastify, app)
  }
})

test('names, prefixes and plugins', () =>
  assertSame({
    build(app, note) {
      const about = (instance: FastifyInstance): void => note(instance.prefix, instance.pluginName)
      about(app)
      app.register(
        plugin(async (child: FastifyInstance) => about(child), { name: 'named', fastify: '4.x' }),
      )
      app.register(
        async function inner(child) {
          about(child)
          child.register(
            plugin(async (same: FastifyInstance) => about(same), {
              name: 'dependent',
              dependencies: ['named'],
            }),
          )
          child.register(async (deep) => about(deep), { prefix: '/deep' })
        },
        { prefix: '/inner' },
      )
    },
    whenReady(app, note) {
      note(app.version, app.hasPlugin('named'), app.hasPlugin('dependent'), app.hasPlugin('inner'))
      note(app.addresses(), app.server.listening, typeof app.routing)
      note(
        app
          .printPlugins()
          .replaceAll(/-?\d+(\.\d+)? ms/g, 'N ms')
          .includes('inner N ms'),
      )
    },
  }))

test('loggers of requests by the factories of contexts', () =>
  assertSame({
    options: (lines) => ({ logger: { stream: lines } }),
    build(app, note) {
      const handler = async ({ log }: FastifyRequest): Promise<string> => {
        log.info('handled')
        return 'ok'
      }
      app.get('/', handler)
      app.register(
        async (child) => {
          child.setChildLoggerFactory((logger, bindings, options) =>
            logger.child({ ...bindings, of: 'child' }, options),
          )
          note(child.childLoggerFactory === app.childLoggerFactory)
          child.get('/', handler)
          child.register(async (deep) => void deep.get('/deep', { logLevel: 'warn' }, handler))
        },
        { prefix: '/child' },
      )
    },
    requests: ['/', '/child', '/child/deep', '/none', '/%zz'],
  }))

test('the parsers that come with it', () =>
  assertSame({
    build(app, note) {
      for (const type of ['application/json', 'text/plain', 'text/other']) {
        note(type, app.hasContentTypeParser(type))
      }
      const { defaultTextParser } = app
      const parseJson = app.getDefaultJsonParser('remove', 'ignore')
      app.removeAllContentTypeParsers()
      note(app.hasContentTypeParser('application/json'))
      app.addContentTypeParser('text/json', { parseAs: 'string' }, parseJson)
      app.addContentTypeParser('text/other', { parseAs: 'string' }, defaultTextParser)
      app.post('/', async ({ body }) => ({ body }))
    },
    requests: [
      ['text/json', '{"__proto__":1,"constructor":{"prototype":1},"a":1}'],
      ['text/json', '{'],
      ['text/json', ''],
      ['text/other', 'text'],
      ['application/json', '{}'],
      ['text/plain', 'text'],
    ].map(([type = '', payload = '']) => ({
      method: 'POST' as const,
      url: '/',
      headers: { 'content-type': type },
      payload,
    })),
  }))

const methods = [
  'DELETE',
  'GET',
  'HEAD',
  'PATCH',
  'POST',
  'PUT',
  'OPTIONS',
  'SEARCH',
  'TRACE',
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'UNLOCK',
  'MERGE',
  'SUBSCRIBE',
]

test('every method, with a body and without', () =>
  assertSame({
    build(app, note) {
      for (const method of methods) {
        try {
          app.route({
            method: method as 'GET',
            url: `/${method}`,
            handler: async ({ body, method: own }) => ({ body, own }),
          })
        } catch (error) {
          note(error)
        }
      }
      app.all('/all', async ({ method }) => method)
    },
    requests: methods.flatMap((method) => [
      { method: method as 'GET', url: `/${method}` },
      { method: method as 'GET', url: `/${method}`, payload: { a: 1 } },
      { method: method as 'GET', url: '/all' },
    ]),
  }))

test('plugins use the server: requests from elsewhere, and a close of their own', () =>
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
      note(await exchange(port, ...get('/outer')))
      note(await exchange(port, ...get('/inner', 'From: the wire')))
    },
  }))

test('a server of the application’s own', () =>
  assertSameOnConnections({
    options: {
      serverFactory(handler: RequestListener, options: { keepAliveTimeout: number; own: string }) {
        return createServer((request, response) => {
          response.setHeader('x-server', `${options.own} ${options.keepAliveTimeout}`)
          handler(request, response)
        })
      },
      own: 'mine',
      keepAliveTimeout: 1234,
    },
    build(app, note: Note) {
      note(Object.entries(app.initialConfig).sort(([a], [b]) => a.localeCompare(b)))
      app.get('/', (_request: FastifyRequest, reply: FastifyReply) => void reply.send('ok'))
    },
    async talk({ port, note }) {
      note(await exchange(port, ...get('/')))
      note(await exchange(port, ...get('/none')))
    },
  }))
