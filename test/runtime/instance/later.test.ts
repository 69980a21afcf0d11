/** Additions of later Fastify releases work as they do there. Applications for 4.21 that use the same names get their own. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fastify as fastify5 } from 'fastify-5'
import framework, { type FastifyInstance, type InjectOptions } from 'framework'
import { pino } from 'pino'
import { assertSame, assertSameNotes, type Note, tryAll } from '../../support/differential.ts'
import { turns } from '../../support/turns.ts'
import { warningsOf } from '../../support/warnings.ts'

type App = FastifyInstance
type Factory = (options?: object) => App

function testAsLater(title: string, run: (create: Factory, note: Note) => unknown): void {
  test(title, () => assertSameNotes({ oracle: fastify5 }, run as never))
}

const codeOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return [(error as { code?: unknown }).code, (error as Error).message]
  }
}

async function ask(app: App, note: Note, ...requests: (InjectOptions | string)[]): Promise<void> {
  for (const request of requests) {
    const { statusCode, headers, body } = await app.inject(request)
    note(request, statusCode, headers.location, body)
  }
}

testAsLater(
  'a logger instance logs; one beside `logger`, and an object that is not a logger, are refused',
  async (create, note) => {
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        const { msg, level, name, reqId } = JSON.parse(chunk.toString()) as Record<string, unknown>
        if (name === 'mine') note(level, reqId, msg)
        done()
      },
    })
    const loggerInstance = pino({ name: 'mine' }, stream)
    const app = create({ loggerInstance })
    app.get('/', async (request) => request.log.warn('asked'))
    await app.inject('/')
    await turns(5)
    note(codeOf(() => create({ loggerInstance, logger: true })))
    note(codeOf(() => create({ loggerInstance: { level: 'info' } })))
    note(codeOf(() => create({ loggerInstance: { info() {} } })))
    note(create({ loggerInstance: undefined, logger: false }).log.level)
  },
)

testAsLater('options of the router may stand in `routerOptions`', async (create, note) => {
  const app = create({
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      caseSensitive: false,
      maxParamLength: 3,
      querystringParser: (text: string) => ({ text }),
    },
  })
  app.get('/a/:b', async ({ params, query }) => ({ params, query }))
  const urls = ['/a/b?x=1', '/A/b/', '//a//b', '/a/abc', '/a/abcd']
  for (const url of urls) note(url, (await app.inject(url)).statusCode === 200)
  note((await app.inject('/a/b?x=1')).json())
  note(codeOf(() => create({ routerOptions: { querystringParser: 1 } })))
})

testAsLater('requests and replies have the members of later releases', async (create, note) => {
  const app = create({ trustProxy: true })
  app.decorate('one', 1)
  app.decorateRequest('two', null)
  app.decorateReply('three', function (this: unknown) {
    return typeof this
  })
  app.all('/', async (request, reply) => {
    const { host, port, mediaType } = request
    reply.type('text/html; charset=utf-8')
    note(host, port, mediaType, reply.mediaType, typeof reply.elapsedTime)
    request.setDecorator('two', 2)
    note(request.getDecorator('two'), reply.getDecorator<() => string>('three')())
    note(codeOf(() => request.getDecorator('none')))
    note(codeOf(() => request.setDecorator('none', 1)))
    note(codeOf(() => reply.getDecorator('none')))
    note(request.signal.aborted)
    return ''
  })
  app.get('/away', (_, reply) => reply.redirect('/there', 303))
  app.get('/found', (_, reply) => reply.redirect('/there'))
  app.get('/kept', (_, reply) => reply.code(301).redirect('/there'))
  await ask(app, note, '/away', '/found', '/kept')
  note(
    app.getDecorator('one'),
    codeOf(() => app.getDecorator('none')),
  )
  for (const host of ['a.example', 'a.example:81', 'a.example:8x', '[::1]:82', '[::1]']) {
    await app.inject({ url: '/', headers: { host } })
    await app.inject({ url: '/', headers: { host: 'b', 'x-forwarded-host': host } })
  }
  for (const type of ['text/plain', 'TEXT/Plain ; x=y', 'text', 'a/b c', 'a/b/c', '']) {
    await app.inject({ method: 'POST', url: '/', headers: { 'content-type': type } })
  }
})

testAsLater(
  'a context has its own way to make ids of requests, and a 404 handler that of its context',
  async (create, note) => {
    const app = create({ requestIdHeader: 'x-id' })
    let count = 0
    app.register(async (child) => {
      child.setGenReqId(() => `child-${(count += 1)}`)
      child.get('/child', async ({ id }) => id)
      note(child.genReqId({ headers: {} } as never))
    })
    app.setGenReqId(() => `root-${(count += 1)}`)
    app.setNotFoundHandler((request, reply) => reply.code(404).send(request.id))
    app.get('/', async ({ id }) => id)
    await ask(app, note, '/', '/child', '/none', { url: '/child', headers: { 'x-id': 'own' } })
    note(codeOf(() => app.setGenReqId(() => '')))
  },
)

testAsLater(
  '`onListen` hooks run context by context when the application listens; what fails is logged',
  async (create, note) => {
    const app = create()
    app.log.error = ((error: Error) => note('logged', error.message)) as never
    app.addHook('onListen', async function () {
      note('root', this === app, app.server.listening)
    })
    app.addHook('onListen', (done) => done(new Error('called back')))
    app.register(async (child) => {
      child.addHook('onListen', () => note('child'))
      child.addHook('onListen', async () => new Error('returned'))
      child.addHook('onListen', () => Promise.reject(new Error('thrown')))
    })
    note(codeOf(() => app.addHook('onListen', async (_done: unknown) => undefined)))
    await app.ready()
    note('ready')
    await app.listen({ port: 0, host: '127.0.0.1' })
    await wait(20)
    await app.close()
    const other = create()
    other.addHook('onListen', () => note('by callback'))
    other.listen({ port: 0, host: '127.0.0.1' }, () => note('listening'))
    await other.ready()
    await once(other.server, 'listening')
    await wait(20)
    await other.close()
  },
)

testAsLater('methods can be added; QUERY is there', async (create, note) => {
  const app = create()
  app.addHttpMethod('MKCALENDAR', { hasBody: true })
  app.addHttpMethod('REPORT')
  note(codeOf(() => app.addHttpMethod('NONSENSE')))
  const answer = async (request: { method: string; body: unknown }): Promise<unknown> => ({
    method: request.method,
    body: request.body ?? null,
  })
  app.query('/', answer)
  app.route({ method: ['MKCALENDAR', 'REPORT'] as never, url: '/', handler: answer })
  ;(app as unknown as { report: App['get'] }).report('/short', answer)
  app.trace('/', {}, answer)
  note(
    codeOf(() =>
      app.route({ method: 'REPORT' as never, url: '/b', schema: { body: {} }, handler: answer }),
    ),
  )
  note(codeOf(() => app.route({ method: 'PURGE' as never, url: '/b', handler: answer })))
  const payload = { a: 1 }
  for (const method of ['QUERY', 'MKCALENDAR', 'REPORT', 'PURGE'] as never[])
    await ask(app, note, { method, url: '/', payload })
  for (const method of ['MKCALENDAR', 'REPORT', 'TRACE'] as never[])
    await ask(app, note, { method, url: '/' }, { method, url: '/short' })
  note(app.hasRoute({ method: 'QUERY' as never, url: '/' }))
  note(['QUERY', 'REPORT', 'GET'].map((name) => app.supportedMethods.includes(name)))
})

testAsLater('the factory takes a `childLoggerFactory`', async (create, note) => {
  const stream = new Writable({ write: (_chunk, _, done) => done() })
  const app = create({
    logger: { stream },
    childLoggerFactory(logger: { child(...args: unknown[]): unknown }, bindings: object) {
      note(Object.keys(bindings))
      return logger.child(bindings)
    },
  })
  app.get('/', async () => '')
  await app.inject('/')
})

test('options without effect cause one warning each, unless their value is what applies anyway', async () => {
  const options = {
    handlerTimeout: 1000,
    allowErrorHandlerOverride: true,
    ofSomePlugin: 1,
    routerOptions: { defaultRoute() {}, useSemicolonDelimiter: true },
  }
  const warnings = await warningsOf(() => {
    for (let i = 0; i < 2; i++) framework(options as object)
    framework().get('/', { handlerTimeout: 1 } as object, () => '')
  })
  assert.deepEqual(
    warnings.map(({ code, message }) => [code, message.split('"')[1]]),
    ['handlerTimeout', 'routerOptions.defaultRoute'].map((name) => [
      'FST_AOT_OPTION_WITHOUT_EFFECT',
      name,
    ]),
  )
})

test('an application for Fastify 4.21 can use these names for its own members', async () => {
  await assertSame({
    build(app, note) {
      const names = ['host', 'port', 'getDecorator', 'mediaType', 'elapsedTime', 'query']
      for (const name of names) {
        note(name, app.hasDecorator(name), app.hasReplyDecorator(name))
        if (name !== 'query') note(app.hasRequestDecorator(name))
        app.decorate(name, `instance ${name}`)
        app.decorateReply(name, `reply ${name}`)
      }
      app.decorateRequest('host', function () {
        return 'a method'
      })
      app.decorateRequest('port', { getter: () => 'a getter' })
      app.decorateRequest('mediaType', null)
      note(app.hasRequestDecorator('host'), app.hasReplyDecorator('host'), app.hasDecorator('host'))
      app.register(async (child) => {
        note(Reflect.get(child, 'host'), child.hasDecorator('setGenReqId'))
        child.decorate('setGenReqId', 1)
        child.get('/', async (request, reply) => {
          const read = (object: object): unknown[] => names.map((name) => Reflect.get(object, name))
          note(
            read(app).map(String),
            read(reply),
            (request as unknown as { host(): string }).host(),
          )
          Reflect.set(request, 'port', 1)
          Reflect.set(request, 'signal', 'own')
          note(Reflect.get(request, 'port'), Reflect.get(request, 'mediaType'))
          note(Reflect.get(request, 'signal'), Object.keys(request).includes('signal'))
          return ''
        })
      })
      tryAll(note, [() => app.decorate('dependent', 1, ['supportedMethods'])])
    },
    requests: ['/'],
  })
})
