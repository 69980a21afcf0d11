/** Headers, trailers, errors and payloads of replies. */
export const issues = [
  {
    issue: 'fastify/fastify#6860',
    what: 'removeHeader keeps a header that was set on the raw response',
    app: (app) => {
      app.get('/', (request, reply) => {
        reply.raw.setHeader('X-Raw', 'set')
        reply.removeHeader('X-Raw').send('sent')
      })
    },
    headers: ['x-raw'],
    ask: ['/'],
    right: ['200 | x-raw: undefined | sent'],
  },
  {
    issue: 'fastify/fastify#6845',
    what: 'a reply whose trailers were all removed is still sent in chunks',
    app: (app) => {
      app.get('/', (request, reply) => {
        reply.trailer('x-sum', async () => '1')
        reply.removeTrailer('x-sum')
        reply.send('sent')
      })
    },
    headers: ['trailer', 'transfer-encoding', 'content-length'],
    ask: ['/'],
    right: ['200 | trailer: undefined | transfer-encoding: undefined | content-length: 4 | sent'],
  },
  {
    issue: 'fastify/fastify#5229',
    what: 'response schemas by content type are skipped for the error of a request',
    app: (app) => {
      const error = { type: 'object', properties: { statusCode: { type: 'integer' } } }
      app.get(
        '/:id',
        {
          schema: {
            params: { type: 'object', properties: { id: { type: 'integer' } } },
            response: { '4xx': { content: { 'application/json': { schema: error } } } },
          },
        },
        async () => 'found',
      )
    },
    ask: ['/a'],
    right: ['400 | {"statusCode":400}'],
  },
  {
    issue: 'fastify/fastify#5317',
    what: 'setErrorHandler takes a value that is no function and fails at the first error',
    ask: ({ app }) => void app.setErrorHandler('handler'),
    right: ['throws FST_ERR_ERROR_HANDLER_NOT_FN Error Handler must be a function'],
  },
  {
    issue: 'fastify/fastify#5445',
    what: 'an error thrown in a synchronous error handler is lost',
    app: (app) => {
      app.setErrorHandler(() => {
        throw new Error('from the handler')
      })
      app.get('/sync', () => {
        throw new Error('first')
      })
      app.get('/late', (request, reply) => {
        setImmediate(() => void reply.send(new Error('first')))
      })
    },
    ask: ['/sync', '/late'],
    right: [
      '500 | {"statusCode":500,"error":"Internal Server Error","message":"from the handler"}',
      '500 | {"statusCode":500,"error":"Internal Server Error","message":"from the handler"}',
    ],
  },
  {
    issue: 'fastify/fastify#6006',
    what: 'a redirect without return, with an async onSend hook, crashes the process',
    app: (app) => {
      app.addHook('onSend', async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
      })
      app.get('/', async (request, reply) => {
        reply.redirect('/elsewhere')
      })
    },
    headers: ['location'],
    ask: async ({ app, ask }) => {
      await ask('/')
      await new Promise((resolve) => setTimeout(resolve, 20))
      await app.close()
    },
    right: ['302 | location: /elsewhere'],
  },
]
