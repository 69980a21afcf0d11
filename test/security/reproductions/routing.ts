import { once } from 'node:events'
import { connect } from 'node:http2'
import type { preHandlerAsyncHookHandler } from 'fastify'
import type { Reproduction } from '../reproduction.ts'

const notFound = (url: string): string =>
  `404 {"message":"Route GET:${url} not found","error":"Not Found","statusCode":404}`

/** Finding a route, or none. */
export const routing: readonly Reproduction[] = [
  {
    advisory: 'CVE-2024-45813',
    what: 'several parameters in one path segment take exponential time',
    async attack({ app, note }) {
      app.get('/:x.:y.:z.:w.js', async () => 'found')
      const { statusCode } = await app.inject(`/${'.'.repeat(1000)}`)
      note(String(statusCode))
    },
    framework: ['404'],
  },
  {
    advisory: 'find-my-way 9.10.1',
    what: 'a regular expression that is accepted as safe takes exponential time',
    async attack({ app, note }) {
      app.get('/:x(^(a|aa)*$)', async () => 'found')
      const { statusCode } = await app.inject(`/${'a'.repeat(200)}!`)
      note(String(statusCode))
    },
    framework: ['404'],
  },
  {
    advisory: 'find-my-way 9.10.0',
    what: 'each `%25` in a path copies the whole path',
    async attack({ app, note }) {
      app.get('/', async () => 'found')
      const { statusCode } = await app.inject(`/${'%25'.repeat(300_000)}`)
      note(String(statusCode))
    },
    framework: ['404'],
  },
  {
    advisory: 'find-my-way 9.7.0',
    what: "a parameter that doesn't match its regular expression is treated as empty",
    async attack({ app, ask }) {
      app.get('/users/:id(^\\d+$)', async ({ params }) => params)
      await ask(app, '/users/1')
      await ask(app, '/users/')
    },
    framework: ['200 {"id":"1"}', notFound('/users/')],
  },
  {
    advisory: 'find-my-way 9.7.0',
    what: 'an optional group in a regular expression of a path crashes the process',
    async attack({ app, ask }) {
      app.get('/:lang((de|fr)?-)', async ({ params }) => params)
      await ask(app, '/-')
    },
    framework: ['200 {"lang":"-"}'],
  },
  {
    advisory: 'find-my-way 9',
    what: 'every other request passes by a `host` constraint with a `g` or `y` regular expression',
    async attack({ app, ask }) {
      app.get('/', { constraints: { host: /^admin\./g } }, async () => 'guarded')
      app.get('/y', { constraints: { host: /admin\./y } }, async () => 'guarded')
      app.get('/', async () => 'open')
      app.get('/y', async () => 'open')
      for (const url of ['/', '/', '/', '/y', '/y'])
        await ask(app, { url, headers: { host: 'admin.example' } })
    },
    framework: Array<string>(5).fill('200 guarded'),
  },
  {
    advisory: 'find-my-way 9.9.0',
    what: 'a slash in the query of an absolute URL is treated as the start of the path',
    async attack({ app, exchange, note }) {
      app.get('/', async () => 'public')
      app.get('/admin', async () => 'secret')
      const request = 'GET http://app.example?a=/admin HTTP/1.1'
      const answer = await exchange(app, request, 'host: app.example', 'connection: close')
      note(answer.split('\r\n').at(-1)!)
    },
    framework: ['public'],
  },
  {
    advisory: 'find-my-way 9.7.0',
    what: 'two async constraints that fail answer a request twice',
    async attack({ create, note }) {
      const failing = (name: string): object => ({
        name,
        storage: () => new Map(),
        validate: () => true,
        deriveConstraint: (_request: unknown, _context: unknown, done: (error: Error) => void) =>
          setImmediate(done, new Error('failed')),
      })
      const app = create({ constraints: { a: failing('a'), b: failing('b') } })
      app.get('/', { constraints: { a: '1', b: '1' } }, async () => 'found')
      const { statusCode } = await app.inject('/')
      note(String(statusCode))
      await new Promise((resolve) => setTimeout(resolve, 20))
    },
    framework: ['500'],
  },
  {
    advisory: 'CVE-2026-47219',
    what: 'an HTTP/2 method with the name of an `Object.prototype` member crashes the process',
    async attack({ create, note }) {
      const app = create({ http2: true })
      app.get('/', async () => 'found')
      const session = connect(await app.listen({ port: 0, host: '127.0.0.1' }))
      const stream = session.request({ ':method': 'constructor', ':path': '/' })
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
      note(String(headers[':status']))
      session.destroy()
    },
    framework: ['404'],
  },
  {
    advisory: 'GHSA-p68q-wchp-6fh7',
    what: 'an invalid URL encoding runs the 404 handler of another prefix without its hooks',
    async attack({ app, ask }) {
      await app.register(
        async (admin) => {
          admin.addHook('onRequest', async (_request, reply) => reply.code(401).send('denied'))
          admin.setNotFoundHandler((_request, reply) => void reply.code(404).send('secret'))
        },
        { prefix: '/admin' },
      )
      await ask(app, '/admin/x')
      await ask(app, '/public/%c0')
    },
    framework: [
      '401 denied',
      `400 {"error":"Bad Request","code":"FST_ERR_BAD_URL","message":"'/public/%c0' is not a valid url component","statusCode":400}`,
    ],
  },
  {
    advisory: 'GHSA-gm8r-x7h4-fm5r',
    what: '`callNotFound` skips the hooks of a 404 handler that is set after the route',
    async attack({ app, ask }) {
      app.get('/', (_request, reply) => {
        reply.callNotFound()
      })
      const preHandler: preHandlerAsyncHookHandler = async (_request, reply) =>
        reply.code(401).send('denied')
      app.setNotFoundHandler({ preHandler }, (_request, reply) => void reply.send('secret'))
      await ask(app, '/')
    },
    framework: ['401 denied'],
  },
  {
    advisory: 'fastify 5.7.0',
    what: 'quotes in a URL with invalid encoding break the JSON of the error',
    async attack({ app, exchange, note }) {
      app.get('/', async () => 'found')
      const answer = await exchange(app, 'GET /%c0" HTTP/1.1', 'host: a', 'connection: close')
      note(answer.split('\r\n').at(-1)!)
    },
    framework: [
      `{"error":"Bad Request","code":"FST_ERR_BAD_URL","message":"'/%c0\\"' is not a valid url component","statusCode":400}`,
    ],
  },
]
