/** The application that is measured, on this framework and, with the name in the import exchanged, on Fastify. */
import framework from 'framework'
import bearerAuth from '@fastify/bearer-auth'
import cookie from '@fastify/cookie'
import { createReport } from './report.mjs'

const app = framework({ logger: process.env.LOG ? { file: '/dev/null' } : false })

app.addSchema({
  $id: 'order',
  type: 'object',
  required: ['customer', 'items'],
  properties: {
    customer: {
      type: 'object',
      required: ['name', 'email'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 100 },
        email: { type: 'string', format: 'email' },
      },
    },
    items: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['sku', 'quantity', 'price'],
        properties: {
          sku: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4}$' },
          quantity: { type: 'integer', minimum: 1 },
          price: { type: 'number', minimum: 0 },
        },
      },
    },
    express: { type: 'boolean' },
    note: { type: 'string' },
  },
})

const greeting = {
  response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } },
}

app.get('/', { schema: greeting }, (_request, reply) => {
  reply.send({ hello: 'world' })
})

app.get(
  '/shelves/:shelf/books/:book',
  {
    schema: {
      params: {
        type: 'object',
        properties: { shelf: { type: 'integer' }, book: { type: 'integer' } },
      },
      querystring: {
        type: 'object',
        properties: { page: { type: 'integer', default: 1 }, full: { type: 'boolean' } },
      },
      response: {
        200: {
          type: 'object',
          properties: {
            shelf: { type: 'integer' },
            book: { type: 'integer' },
            page: { type: 'integer' },
            full: { type: 'boolean' },
          },
        },
      },
    },
  },
  async ({ params, query }) => ({
    shelf: params.shelf,
    book: params.book,
    page: query.page,
    full: query.full,
  }),
)

app.post(
  '/notes',
  {
    schema: {
      body: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 100 },
          priority: { type: 'integer' },
          done: { type: 'boolean' },
        },
      },
      response: {
        200: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            title: { type: 'string' },
            priority: { type: 'integer' },
            done: { type: 'boolean' },
          },
        },
      },
    },
  },
  async ({ body }) => ({ id: 7, title: body.title, priority: body.priority, done: body.done }),
)

app.post(
  '/orders',
  {
    schema: {
      body: { $ref: 'order#' },
      response: {
        200: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            total: { type: 'number' },
            order: { $ref: 'order#' },
          },
        },
      },
    },
  },
  async ({ body }) => ({
    id: 7,
    total: body.items.reduce((sum, { quantity, price }) => sum + quantity * price, 0),
    order: body,
  }),
)

app.get('/report', (_request, reply) => {
  reply.type('text/plain; charset=utf-8').send(createReport())
})

app.register(async (hooked) => {
  hooked.addHook('onRequest', (_request, _reply, done) => done())
  hooked.addHook('onRequest', async () => {})
  hooked.addHook('preValidation', (_request, _reply, done) => done())
  hooked.addHook('preValidation', async () => {})
  hooked.addHook('preHandler', (_request, _reply, done) => done())
  hooked.addHook('preHandler', async () => {})
  hooked.addHook('preSerialization', (_request, _reply, payload, done) => done(null, payload))
  hooked.addHook('onSend', (_request, _reply, payload, done) => done(null, payload))
  hooked.addHook('onSend', async () => {})
  hooked.addHook('onResponse', (_request, _reply, done) => done())
  hooked.get('/hooked', { schema: greeting }, async () => ({ hello: 'world' }))
})

app.register(async (members) => {
  await members.register(cookie)
  await members.register(bearerAuth, { keys: new Set(['a-key-of-the-tests']) })
  members.get(
    '/account',
    {
      schema: {
        response: { 200: { type: 'object', properties: { user: { type: 'string' } } } },
      },
    },
    async ({ cookies }, reply) => {
      reply.setCookie('seen', 'yes', { path: '/', httpOnly: true })
      return { user: cookies.session }
    },
  )
})

export default app
