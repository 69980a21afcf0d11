/** Types of routes and hooks that Fastify's own type tests (`npm run conformance:types`) don't check. */
import framework, {
  type FastifySchema,
  type RequestPayload,
  type RouteGenericInterface,
} from 'framework'
import { same } from './expect.ts'

const app = framework()

interface Book {
  title: string
}
interface CreateBook extends RouteGenericInterface {
  Body: Book
  Params: { shelf: string }
  Reply: { 201: { id: number }; '4xx': { reason: string } }
}

// Every route option.
app.route<CreateBook, { desk: string }>({
  method: ['GET', 'get', 'PROPFIND', 'search'],
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

// Payloads of hooks.
app.addHook('preParsing', function (request, _reply, payload, done) {
  same<RequestPayload>()(payload)
  payload.receivedEncodedLength = 1
  done(null, payload)
  done(new Error(request.url))
  // @ts-expect-error not a stream
  done(null, 'text')
})
app.addHook('preParsing', async (_request, _reply, payload) => payload)
app.addHook('preSerialization', (_request, _reply, payload, done) => {
  same<unknown>()(payload)
  done()
  done(null, { payload })
})
app.addHook<{ total: number }>('preSerialization', async (_request, _reply, payload) => {
  same<number>()(payload.total)
  return payload
})
app.addHook<string>('onSend', (_request, reply, payload, done) => {
  reply.header('content-length', payload.length)
  done(null, payload)
})
app.addHook('onSend', async (_request, _reply, payload) => payload)
