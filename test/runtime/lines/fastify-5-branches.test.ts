/** Compares `framework/5` with Fastify 5.12 in branches that few applications reach. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { catchEscaped } from '../../support/lifecycle-run.ts'
import { Wire } from '../../support/wire.ts'
import {
  assertSame,
  assertSameNotes,
  type Factory,
  type Note,
  type Scenario,
} from '../../support/differential.ts'

type App = ReturnType<Factory>
type Method = (...args: unknown[]) => unknown

const handler = async (): Promise<string> => 'ok'

const fail = (): never => {
  throw new Error('failed')
}

/** Notes what an expression returns or throws. Errors without a code are TypeErrors, whose message names variables. */
function attempt(note: Note, name: string, run: () => unknown): void {
  try {
    const result = run()
    note(name, typeof result === 'object' ? 'object' : result)
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    note(name, code ?? 'threw', code === undefined ? '' : message)
  }
}

/** A response of another implementation of `fetch`, such as node-fetch, whose body is a stream of Node. */
const foreign = (members: object): object => ({
  [Symbol.toStringTag]: 'Response',
  status: 201,
  headers: new Map([['x-a', '1']]),
  body: null,
  bodyUsed: false,
  ...members,
})

const foreignResponses = {
  stream: () => foreign({ body: Readable.from(['a', 'b']) }),
  text: () => foreign({ body: 'text', headers: { forEach: 1 } }),
  buffer: () => foreign({ body: Buffer.from('bytes'), status: 'ok' }),
  nothing: () => foreign({ body: undefined, headers: undefined }),
  object: () => foreign({ body: {} }),
  consumed: () => foreign({ body: new PassThrough(), bodyUsed: true }),
}

const scenarios: Readonly<Record<string, Omit<Scenario, 'line'>>> = {
  'responses of other implementations of fetch': {
    build(app) {
      for (const [name, create] of Object.entries(foreignResponses)) {
        app.get(`/${name}`, (_request, reply) => reply.send(create()))
      }
    },
    requests: Object.keys(foreignResponses).map((name) => `/${name}`),
  },
  'arguments of methods that declare routes': {
    build(app, note) {
      const methods = app as unknown as Record<string, Method>
      methods['addHttpMethod']?.('PROPFIND', { hasBody: true })
      const lists: unknown[][] = [
        [5, handler],
        ['/', 'options', handler],
        ['/', null, handler],
        ['/', undefined, handler],
        ['/', { handler }, handler],
        ['/', { handler: 5 }, handler],
        ['/', handler, handler],
        ['/'],
        ['/a', { handler }],
        ['/b', { url: '/c', path: '/d', method: 'GET' }, handler],
      ]
      for (const name of ['get', 'query', 'trace', 'propfind'])
        for (const list of lists)
          attempt(note, name, () => (app as unknown as typeof methods)[name]?.(...list))
      note(app.printRoutes())
    },
  },
  'the order in which options of a route are checked': {
    build(app, note) {
      const common = { method: 'NONE', url: '/' }
      for (const options of [
        common,
        { ...common, handler, bodyLimit: 0 },
        { ...common, handler, errorHandler: 5 },
        { ...common, method: 5, handler },
        { ...common, method: 'get', schema: { body: {} } },
      ])
        attempt(note, 'route', () => app.route(options as never))
    },
  },
  'methods that are added again': {
    build(app, note) {
      const { addHttpMethod } = app as unknown as Record<string, Method>
      for (const [method, options] of [
        ['GET', { hasBody: true, overrideExisting: true }],
        ['POST', { overrideExisting: true }],
        ['LINK', { hasBody: 1 }],
        ['LINK', { hasBody: true }],
        ['LINK', {}],
      ]) {
        addHttpMethod?.call(app, method, options)
        note([...(app as unknown as { supportedMethods: string[] }).supportedMethods])
      }
    },
  },
  'deprecated options': {
    options: () => ({
      ignoreTrailingSlash: true,
      requestIdLogLabel: 'id',
      disableRequestLogging: true,
    }),
    build: (app) => app.get('/', handler),
    requests: ['/'],
  },
  'error handlers that may not be set twice': {
    options: () => ({ allowErrorHandlerOverride: 0 }),
    build(app, note) {
      app.setErrorHandler(async () => 'first')
      attempt(note, 'second', () => app.setErrorHandler(async () => 'second'))
    },
  },
  'two query string parsers': {
    options: () => ({ querystringParser: () => ({}), routerOptions: { querystringParser: 5 } }),
    build: (app) => app.get('/', handler),
  },
  'the instance of a request id generator': {
    options: () => ({
      genReqId(this: { prefix: string }) {
        return `of ${this.prefix}`
      },
      frameworkErrors: (_error: unknown, { id }: { id: string }, reply: { send: Method }) => {
        reply.send(id)
      },
    }),
    build(app) {
      app.register(async (child) => void child.get('/', async ({ id }) => id), { prefix: '/child' })
    },
    requests: ['/child', '/%'],
  },
  'routes that begin with digits': {
    build(app) {
      for (const path of ['/b', '/2', '/a', '/1x']) app.get(path, handler)
      app.register(async (child) => void child.get('/number', handler), { prefix: 5 as never })
    },
    whenReady(app, note) {
      for (const commonPrefix of [true, false]) note(app.printRoutes({ commonPrefix }))
    },
  },
  'validators of a body by media type': {
    build(app, note) {
      const schema = { body: { content: { 'a/b': { schema: {} }, 'text/plain': { schema: {} } } } }
      app.setValidatorCompiler(() => () => true)
      app.post('/', { schema }, async (request) => {
        note(Object.keys(request.getValidationFunction('body') as object))
        attempt(note, 'validateInput', () => request.validateInput({}, 'body'))
      })
    },
    requests: [
      { method: 'POST', url: '/', payload: 'text', headers: { 'content-type': 'text/plain' } },
    ],
  },
  'a list of cookies that is used again': {
    build(app) {
      app.get('/', (_request, reply) => {
        const cookies = ['a=1']
        void reply.header('set-cookie', cookies)
        cookies.push('b=2')
        void reply.header('set-cookie', 'c=3').header('Set-Cookie', ['d=4', 'e=5']).send(cookies)
      })
    },
    requests: ['/'],
  },
}

for (const [name, scenario] of Object.entries(scenarios)) {
  // Twice, because warnings may be emitted once for each process.
  for (const time of ['first', 'second'])
    test(`${name}, as on Fastify 5, the ${time} time`, () => assertSame({ ...scenario, line: 5 }))
}

type Run = (create: Factory, note: Note) => Promise<void>

/** Listens, and sends a request. Closes the connection after the time, or waits until the server closes it. */
async function request(app: App, text: string, milliseconds?: number): Promise<void> {
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const wire = new Wire(Number(port))
  wire.write(text)
  if (milliseconds === undefined) await wire.end()
  else {
    await sleep(milliseconds)
    wire.destroy()
    await sleep(100)
  }
  await app.close()
}

/** The messages of a logger. */
function logTo(note: Note): object {
  const write = (line: string): void => {
    const { msg, res } = JSON.parse(line) as Record<string, unknown>
    if (!String(msg).startsWith('Server listening')) note(msg, res)
  }
  return { logger: { stream: { write } } }
}

const runs: Readonly<Record<string, Run>> = {
  'the time limit of 404 handlers': async (create, note) => {
    const app = create({ handlerTimeout: 5 })
    app.setNotFoundHandler(({ routeOptions }) => {
      note((routeOptions as { handlerTimeout?: number }).handlerTimeout)
    })
    note((await app.inject('/')).body)
  },
  'changes of an application that is just ready': async (create, note) => {
    for (const prepare of [
      (): unknown => null,
      (app: App): unknown => app.addHook('onReady', async () => {}),
    ]) {
      const app = create()
      prepare(app)
      await app.ready()
      attempt(note, 'at once', () => app.decorate('first', 1))
      await sleep(1)
      attempt(note, 'later', () => app.decorate('second', 2))
    }
    const failed = create()
    failed.register(async () => fail())
    await assert.rejects(async () => failed.ready())
    await failed.inject('/').then(
      ({ body }) => note(body),
      (error: Error) => note(error.message),
    )
  },
  'the options of an HTTP/2 server': async (create, note) => {
    const settings = { maxConcurrentStreams: 7 }
    const app = create({ http2: true, http: { settings } })
    const session = connectHttp2(await app.listen({ port: 0, host: '127.0.0.1' }))
    const [{ maxConcurrentStreams }] = (await once(session, 'remoteSettings')) as [typeof settings]
    note(maxConcurrentStreams)
    session.close()
    await app.close()
  },
  'a handler that returns nothing after the client has left': async (create, note) => {
    const app = create()
    app.addHook('onSend', async () => note('onSend'))
    app.post('/', async ({ raw }) => void (await once(raw.socket, 'close')))
    const head = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 2'
    await request(app, `${head}\r\n\r\nab`, 100)
  },
  'errors after the head': async (create, note) => {
    for (const end of [fail, async () => fail(), () => 'text', async () => 'text']) {
      const app = create(logTo(note))
      app.get('/', (_request, reply) => {
        reply.raw.writeHead(200)
        reply.raw.write('part')
        return end() as never
      })
      await request(app, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    }
  },
}

for (const line of [4, 5] as const) {
  test(`functions that throw in the boot of a process that survives it, as on Fastify ${line}`, (t) => {
    const escaped = catchEscaped(t)
    return assertSameNotes(line === 5 ? { line } : {}, async (create, note) => {
      escaped.log = note
      for (const prepare of [
        (app: App) => void app.register(fail),
        (app: App) =>
          void (app.after as Method).call(app, (_error: unknown, _done: unknown) => fail()),
      ]) {
        const app = create({ pluginTimeout: 50 })
        prepare(app)
        try {
          await app.ready()
        } catch (error) {
          // The code on Fastify 4 depends on the release of avvio.
          note((error as { code: string }).code.endsWith('TIMEOUT'))
        }
      }
    })
  })
}

for (const [name, run] of Object.entries(runs)) {
  test(`${name}, as on Fastify 5`, () => assertSameNotes({ line: 5 }, run))
}
