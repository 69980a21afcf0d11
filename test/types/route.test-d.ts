import type { IncomingMessage, ServerResponse } from 'node:http'
import framework, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  type HTTPMethods,
  type RawServerDefault,
  type RouteGenericInterface,
  type RouteHandler,
  type RouteHandlerMethod,
  type RouteOptions,
  type RouteShorthandOptions,
  type RouteShorthandOptionsWithHandler,
} from 'framework'
import { same, type Equal, type Expect } from './expect.ts'

const app = framework()

interface Book {
  title: string
}
interface CreateBook extends RouteGenericInterface {
  Body: Book
  Params: { shelf: string }
  Querystring: { dryRun?: boolean }
  Headers: { 'X-Tenant': string }
  Reply: { 201: { id: number }; '4xx': { reason: string } }
}

// A shorthand with generics: every part has its type, and header names are in lower case.
app.post<CreateBook>('/shelves/:shelf', { attachValidation: true }, function (request, reply) {
  same<FastifyInstance>()(this)
  same<Book>()(request.body)
  same<string>()(request.params.shelf)
  same<boolean | undefined>()(request.query.dryRun)
  same<string>()(request.headers['x-tenant'])
  same<string | undefined>()(request.headers.authorization)
  reply.code(201).send({ id: 1 })
  reply.code(404).send({ reason: 'no such shelf' })
  // @ts-expect-error that is what 4xx answers with
  reply.code(201).send({ reason: 'no such shelf' })
  // @ts-expect-error 500 is not among the answers
  reply.code(500)
})

// Without generics every part is unknown.
app.get('/', (request) => {
  same<unknown>()(request.body)
  same<unknown>()(request.params)
  same<unknown>()(request.query)
})

// Return values of handlers.
app.get<{ Reply: Book }>('/returned', async () => ({ title: 'Emma' }))
app.get<{ Reply: Book }>('/returned', () => ({ title: 'Emma' }))
app.get<{ Reply: Book }>('/sent', (_request, reply) => void reply.send({ title: 'Emma' }))
// @ts-expect-error not a book
app.get<{ Reply: Book }>('/wrong', async () => ({ name: 'Emma' }))
// @ts-expect-error not a book
app.get<{ Reply: Book }>('/wrong', (_request, reply) => void reply.send({ name: 'Emma' }))

// Every method, in all three forms, and chained.
app
  .get('/', () => {})
  .head('/', () => {})
  .post('/', () => {})
  .put('/', () => {})
  .delete('/', () => {})
  .options('/', () => {})
  .patch('/', () => {})
  .all('/', {}, () => {})
  .get('/', { handler: async (request) => request.id })
const methods: HTTPMethods[] = ['GET', 'get', 'PROPFIND', 'search']
// @ts-expect-error not a method
app.route({ method: 'FETCH', url: '/', handler: () => {} })
// @ts-expect-error no handler
app.route({ method: 'GET', url: '/' })
// @ts-expect-error no handler
app.get('/', {})

// Every route option.
app.route<CreateBook, { desk: string }>({
  method: methods,
  url: '/all',
  schema: { body: {}, querystring: {}, params: {}, headers: {}, response: { 200: {} } },
  attachValidation: true,
  exposeHeadRoute: false,
  validatorCompiler: ({ schema }) => {
    same<FastifySchema>()(schema)
    return () => true
  },
  serializerCompiler: () => JSON.stringify,
  bodyLimit: 1024,
  logLevel: 'warn',
  logSerializers: { id: (value) => String(value) },
  config: { desk: 'front' },
  version: '1.x',
  constraints: { host: /example/ },
  prefixTrailingSlash: 'no-slash',
  errorHandler(error, request, reply) {
    this.log.error(error, request.url)
    reply.send(error)
  },
  childLoggerFactory: (logger, bindings, options) => logger.child(bindings, options),
  schemaErrorFormatter: () => new Error(),
  onRequest: (request, _reply, done) => {
    same<Book>()(request.body)
    done()
  },
  preParsing: (_request, _reply, payload, done) => done(null, payload),
  preValidation: [async () => {}, (_request, _reply, done) => done(new Error())],
  preHandler: async (request, reply) => {
    if (request.params.shelf === '') await reply.code(400).send({ reason: 'no shelf' })
  },
  preSerialization: async (_request, _reply, payload) => ({ wrapped: payload }),
  onSend: (_request, _reply, payload, done) => done(null, payload),
  onResponse: [],
  onTimeout: undefined,
  onError: (_request, _reply, error, done) => {
    same<string>()(error.code)
    done()
  },
  onRequestAbort: (request, done) => done(request.is404 ? new Error() : undefined),
  handler: (request) => {
    same<string>()(request.routeOptions.config.desk)
    same<string>()(request.routeOptions.config.url)
    same<string>()(request.routeConfig.desk)
  },
})
// @ts-expect-error the route's config has a desk
app.get<CreateBook, { desk: string }>('/', { config: {} }, () => {})

// Pieces of a route that are typed apart.
const shorthand: RouteShorthandOptions = { schema: { body: {} }, preHandler: [] }
app.get('/', shorthand, () => {})
const withHandler: RouteShorthandOptionsWithHandler = { ...shorthand, handler: () => {} }
app.get('/', withHandler)
const whole: RouteOptions = { method: 'GET', url: '/', handler: () => {} }
app.route(whole)
const handler: RouteHandler<{ Params: { id: string } }> = async (request) => request.params.id
app.get('/:id', handler)
const method: RouteHandlerMethod = function (request, reply) {
  reply.send({ prefix: this.prefix, url: request.url })
}
app.get('/', method)
async function listBooks(
  request: FastifyRequest<{ Querystring: { page: number } }>,
  reply: FastifyReply,
): Promise<Book[]> {
  reply.header('x-page', request.query.page)
  return []
}
app.get('/books', listBooks)

export type Defaults = [
  Expect<Equal<RouteOptions, RouteOptions<RawServerDefault, IncomingMessage, ServerResponse>>>,
  Expect<Equal<FastifyRequest['log'], FastifyBaseLogger>>,
]
