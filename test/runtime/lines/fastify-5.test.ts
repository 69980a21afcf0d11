/** Compares `framework/5` with Fastify 5.12: changes, removals and additions since 4.21. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import framework from 'framework'
import framework5 from 'framework/5'
import { fastify as fastify5 } from 'fastify-5'
import { assertSame, type Scenario } from '../../support/differential.ts'

type App = Parameters<Scenario['build']>[0]
type Note = Parameters<Scenario['build']>[1]

/** Members of Fastify 5 that the public types of the tests don't have. */
type Any = Record<string, never> & ((...args: unknown[]) => Any)

const json = { 'content-type': 'application/json' }
const echo = async (request: { body: unknown }): Promise<unknown> => ({ body: request.body })

const hosts = ['a.example:8080', '[::1]:3000', '', 'b.example'].map((host) => ({
  url: '/',
  headers: {
    host,
    'x-forwarded-for': '10.0.0.1 ,\t10.0.0.2\t',
    'x-forwarded-host': 'c.example, d.example:1',
    'x-forwarded-proto': 'https',
  },
}))

function showHost(app: App): void {
  app.get('/', async (request) => {
    const { host, hostname, port, protocol, ips } = request as unknown as Record<string, unknown>
    return { host, hostname, port, protocol, ips }
  })
}

/** Notes what an expression returns or throws. */
function attempt(note: Note, name: string, run: () => unknown): void {
  try {
    note(name, run())
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    note(name, code, code === undefined ? 'threw' : message)
  }
}

const scenarios: Readonly<Record<string, Omit<Scenario, 'line'>>> = {
  'hosts and ports': { build: showHost, requests: hosts },
  'hosts of trusted proxies': {
    options: () => ({ trustProxy: ['127.0.0.1', '10.0.0.2'] }),
    build: showHost,
    requests: hosts,
  },
  'compilers of contexts that add schemas': {
    build(app) {
      const own = (value: object): object => ({ value: { ...value, own: true } })
      const schema = { querystring: {}, response: { 200: {} } }
      const route = (one: App, url: string): unknown =>
        one.get(url, { schema }, async ({ query }) => query)
      app.register(async (child) => {
        child.setValidatorCompiler(() => own as never)
        child.setSerializerCompiler(() => (value) => JSON.stringify([value]))
        child.addSchema({ $id: 'child' })
        route(child as App, '/set')
        child.register(async (inner) => route(inner as App, '/inherited'))
        child.register(async (inner) => {
          inner.addSchema({ $id: 'inner' })
          route(inner as App, '/added')
        })
        child.register(async (inner) => {
          inner.setValidatorCompiler(() => own as never)
          // Its missing compilers are those of the controller that it replaces.
          inner.setSchemaController({ compilersFactory: {} })
          inner.addSchema({ $id: 'inner' })
          route(inner as App, '/replaced')
          inner.register(async (innermost) => {
            innermost.addSchema({ $id: 'innermost' })
            route(innermost as App, '/innermost')
          })
        })
      })
    },
    requests: ['/set?a=1', '/inherited?a=1', '/added?a=1', '/replaced?a=1', '/innermost?a=1'],
  },
  'semicolons in paths': {
    build(app) {
      app.get('/secret', async () => 'secret')
      app.setNotFoundHandler(async ({ params, query }) => ({ params, query }))
      app.get('/:name', async ({ params, query }) => ({ params, query }))
    },
    requests: ['/secret', '/secret;a=b', '/x;y?z=1', '/%3B', '/not/found;a=b?c=d'],
  },
  'semicolons that begin the query': {
    options: () => ({ routerOptions: { useSemicolonDelimiter: true } }),
    build: (app) => app.get('/:name', async ({ params, query }) => ({ params, query })),
    requests: ['/x;y=1', '/x?y=1;z=2'],
  },
  'parameters that are too long, and malformed URLs': {
    options: () => ({ routerOptions: { maxParamLength: 3 } }),
    build(app) {
      app.get('/a/:id', async () => 'a')
      app.get('/b/:id(^\\d+$)', async () => 'b')
      app.get('/b/*', async () => 'rest')
    },
    requests: ['/a/123', '/a/1234', '/b/1234', '/a/%', { method: 'PUT', url: '/%' }],
  },
  'duplicate slashes': {
    options: () => ({ routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true } }),
    build: (app) => app.get('/a/:b', async ({ params, query }) => ({ params, query })),
    requests: ['//a//b?c=//d', '/a//b//', '/a//%2F', '/a//%zz', '//a//b//c'],
  },
  'parameters without prototype': {
    build(app) {
      app.get('/:id', async ({ params }) => ({ bare: Object.getPrototypeOf(params) === null }))
    },
    requests: ['/1'],
  },
  'content types': {
    build(app) {
      app.post('/', echo)
      app.delete('/', echo)
      app.addContentTypeParser('text/csv', { parseAs: 'string' }, async () => 'csv')
      app.addContentTypeParser(/^image\//, { parseAs: 'buffer' }, async () => 'image')
    },
    requests: [
      'Application/JSON',
      'application/json ; charset=utf-8',
      '\tapplication/json',
      'application/jsonx',
      'TEXT/CSV; header="a;b"',
      'image/png',
      'text',
      'text/',
      'a/b/c',
    ].flatMap((type) =>
      (['POST', 'DELETE'] as const).map((method) => ({
        method,
        url: '/',
        headers: { 'content-type': type },
        payload: '{"a":1}',
      })),
    ),
  },
  'bodies that cannot be parsed': {
    options: () => ({ bodyLimit: 20 }),
    build(app) {
      app.post('/', echo)
      app.delete('/', echo)
    },
    requests: ['{', '', '{"__proto__":1}', '"'.padEnd(30, 'x')].flatMap((payload) =>
      (['POST', 'DELETE'] as const).map((method) => ({ method, url: '/', headers: json, payload })),
    ),
  },
  'schemas of bodies by media type': {
    build(app) {
      const content = {
        'application/json': { schema: { type: 'object', required: ['a'] } },
        'text/plain': { schema: { type: 'string', minLength: 3 } },
      }
      app.post('/', { schema: { body: { content } } }, echo)
    },
    requests: [
      { method: 'POST', url: '/', payload: {} },
      { method: 'POST', url: '/', payload: { a: 1 } },
      { method: 'POST', url: '/', headers: { 'content-type': 'text/plain' }, payload: 'ab' },
      { method: 'POST', url: '/', headers: { 'content-type': 'Text/Plain; x=y' }, payload: 'abc' },
    ],
  },
  'schemas of headers, formats and responses by media type': {
    build(app) {
      const headers = {
        type: 'object',
        allOf: [{ required: ['X-Id'], properties: { 'X-Id': { type: 'integer' } } }],
        propertyNames: { not: { const: 'X-Bad' } },
      }
      app.get('/headers', { schema: { headers } }, async () => 'ok')
      const at = { type: 'string', format: 'date-time' }
      const querystring = { type: 'object', properties: { at } }
      app.get('/time', { schema: { querystring } }, async () => 'ok')
      const only = (name: string): object => ({
        schema: { type: 'object', properties: { [name]: { type: 'integer' } } },
      })
      const content = { 'application/json': only('a'), '*/*': only('b') }
      app.get(
        '/response/*',
        { schema: { response: { 200: { content } } } },
        async (request, reply) => {
          void reply.type((request.params as Record<string, string>)['*'] ?? '')
          return { a: 1, b: 2 }
        },
      )
    },
    requests: [
      '/headers',
      { url: '/headers', headers: { 'x-id': '1' } },
      { url: '/headers', headers: { 'x-id': '1', 'x-bad': '1' } },
      '/time?at=2020-01-01T00:00:00',
      '/time?at=2020-01-01T00:00:00Z',
      '/response/application/json',
      '/response/Application/JSON;x=y',
      '/response/application/x+json',
    ],
  },
  'references in schemas of headers': {
    build(app) {
      const names = { enum: ['X-A'] }
      app.addSchema({ $id: 'names', ...names })
      for (const [i, headers] of [
        { allOf: [{ properties: { 'x-a': { $ref: 'names#' } } }] },
        { propertyNames: { not: { $ref: '#/definitions/names' } }, definitions: { names } },
        {
          propertyNames: { not: { $ref: 'names' } },
          anyOf: [{ $ref: '#/definitions/names' }],
          definitions: { names: true },
        },
      ].entries()) {
        const schema = { headers: { type: 'object', ...headers } }
        app.get(`/${i}`, { schema, exposeHeadRoute: i > 0 }, async () => 'ok')
        app.get(`/own/${i}`, { schema, validatorCompiler: () => () => true }, async () => 'ok')
      }
    },
    requests: [{ url: '/1', headers: { 'x-a': '' } }, '/2'],
  },
  'statuses of errors': {
    build(app) {
      const plain = [418, 600, 200].map((statusCode) => ({ statusCode }))
      for (const members of [...plain, { status: 404, statusCode: 409 }]) {
        app.get(`/${members.statusCode}`, async () => {
          throw Object.assign(new Error('failed'), members)
        })
      }
    },
    requests: ['/418', '/409', '/600', '/200'],
  },
  'invalid time limits': {
    options: () => ({ handlerTimeout: 1000 }),
    build(app, note) {
      app.get('/', async (request) => {
        const { handlerTimeout } = request.routeOptions as unknown as Record<string, unknown>
        return { handlerTimeout }
      })
      attempt(note, 'half', () => app.get('/x', { handlerTimeout: 0.5 } as object, async () => 1))
    },
    requests: ['/'],
  },
  'methods and HEAD routes': {
    build(app, note) {
      const any = app as unknown as Record<string, unknown>
      note([...(any['supportedMethods'] as string[])])
      app.get('/get', async () => 'get')
      app.route({ method: ['GET', 'POST'], url: '/list', handler: async () => 'list' })
      app.all('/all', async (request) => request.method)
      ;(any['query'] as Any)('/query', echo)
      attempt(note, 'MKCOL', () => app.route({ method: 'MKCOL', url: '/x', handler: echo }))
      attempt(note, 'twice', () =>
        app.route({ method: ['GET', 'PUT'], url: '/get', handler: echo }),
      )
      attempt(note, 'hasRoute', () => app.hasRoute({ method: 'get' as 'GET', url: '/:other' }))
    },
    requests: [
      { method: 'HEAD', url: '/get' },
      { method: 'HEAD', url: '/list' },
      { method: 'QUERY' as 'GET', url: '/query' },
      { method: 'QUERY' as 'GET', url: '/query', headers: json, payload: '{"a":1}' },
      { method: 'TRACE' as 'GET', url: '/all' },
    ],
  },
  'what was removed': {
    build(app, note) {
      const gone = ['getDefaultRoute', 'setDefaultRoute']
      note(gone.filter((name) => name in app))
      app.get('/', async (request, reply) => {
        const names = ['context', 'routerPath', 'routerMethod', 'routeConfig', 'routeSchema']
        const ofReply = ['context', 'getResponseTime']
        return [
          ...[...names, 'connection'].filter((name) => name in request),
          ...ofReply.filter((name) => name in reply),
        ]
      })
      app.get('/sent', (_request, reply) => {
        attempt(note, 'sent', () => ((reply as { sent: boolean }).sent = true))
        void reply.send('ok')
      })
      app.get('/redirect', (_request, reply) => (reply.redirect as unknown as Any)('/there', 307))
    },
    requests: ['/', '/sent', '/redirect'],
  },
  'decorators and plugins': {
    build(app, note) {
      attempt(note, 'object', () => void app.decorateRequest('list', []))
      attempt(note, 'field', () => void app.decorateRequest('body', null))
      attempt(note, 'has', () => [app.hasRequestDecorator('raw'), app.hasReplyDecorator('log')])
      app.register((child) => void child.decorate('short', 1))
      app.register(async (_child: App, _options: unknown, _done: unknown) => undefined)
      app.after((error) => note('mixed', (error as { code?: string } | null)?.code))
      const dependent = Object.assign(async () => undefined, {
        [Symbol.for('plugin-meta')]: { name: 'dependent', dependencies: ['missing'] },
      })
      app.register(dependent)
      app.after((error) =>
        note('dependency', (error as { code?: string } | null)?.code, error?.message),
      )
    },
  },
  'error handlers that are set twice': {
    options: () => ({ allowErrorHandlerOverride: false }),
    build(app, note) {
      app.setErrorHandler(async () => 'first')
      attempt(note, 'second', () => void app.setErrorHandler(async () => 'second'))
      attempt(note, 'none', () => void app.setErrorHandler('none' as never))
      app.get('/', async () => {
        throw new Error('failed')
      })
    },
    requests: ['/'],
  },
  'log lines': {
    options: (stream) => ({ logger: { stream }, requestIdHeader: true }),
    build(app) {
      app.get('/', async () => 'ok')
      app.get('/error', { logLevel: 'warn' }, async () => {
        throw new Error('failed')
      })
    },
    requests: [{ url: '/', headers: { 'request-id': 'given' } }, '/error', '/missing'],
  },
  'short forms of schemas, which are gone': {
    build: (app) =>
      app.get('/', { schema: { querystring: { a: { type: 'integer' } } } }, async () => 'ok'),
  },
}

const invalid = [
  { logger: { info() {} } },
  { loggerInstance: {} },
  { loggerInstance: console, logger: true },
  { logger: { info() {}, error() {}, debug() {}, fatal() {}, warn() {}, trace() {}, child() {} } },
  { routerOptions: { maxParamLength: 'x' } },
  { routerOptions: { querystringParser: 'x' } },
  { requestIdHeader: {} },
  { logController: {} },
]

for (const options of invalid) {
  test(`${JSON.stringify(options)} is rejected, as on Fastify 5`, () =>
    assertSame({ line: 5, options: () => options, build: (_app, note) => note('created') }))
}

for (const [name, scenario] of Object.entries(scenarios)) {
  test(`${name}, as on Fastify 5`, () => assertSame({ ...scenario, line: 5 }))
}

test('both lines can be in one process, with separate catalogues of errors', () => {
  assert.equal(framework().version, '4.21.0')
  assert.equal(framework5().version, '5.12.8')
  const codesOf = (factory: unknown) =>
    (factory as { errorCodes: Record<string, new (...args: string[]) => Error> }).errorCodes
  const codes = Object.keys(codesOf(fastify5)).sort()
  assert.deepEqual(Object.keys(codesOf(framework5)).sort(), codes)
  for (const code of codes) {
    const [actual, expected] = [framework5, fastify5].map((factory) => {
      const FastifyError = codesOf(factory)[code] as new (...args: string[]) => Error
      const error = new FastifyError('A', 'B', 'C')
      return { ...error, message: error.message, base: error instanceof TypeError }
    })
    assert.deepEqual(actual, expected)
  }
})
