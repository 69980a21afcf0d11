/** The application that is measured, on this framework and, with the name in the import exchanged, on Fastify. */
import framework from 'framework'
import bearerAuth from '@fastify/bearer-auth'
import cookie from '@fastify/cookie'
import { createReport } from './report.mjs'

const app = framework({ logger: process.env.LOG ? { file: '/dev/null' } : false })

/** Returns the schema of an object. */
const object = (properties) => ({ type: 'object', properties })
const answer = (properties) => ({ 200: object(properties) })
const string = { type: 'string' }
const integer = { type: 'integer' }
const boolean = { type: 'boolean' }

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
    express: boolean,
    note: string,
  },
})

const greeting = { response: answer({ hello: string }) }

app.get('/', { schema: greeting }, (_request, reply) => {
  reply.send({ hello: 'world' })
})

app.get(
  '/shelves/:shelf/books/:book',
  {
    schema: {
      params: object({ shelf: integer, book: integer }),
      querystring: object({ page: { type: 'integer', default: 1 }, full: boolean }),
      response: answer({ shelf: integer, book: integer, page: integer, full: boolean }),
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
          priority: integer,
          done: boolean,
        },
      },
      response: answer({ id: integer, title: string, priority: integer, done: boolean }),
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
        200: object({
          id: integer,
          total: { type: 'number' },
          order: { $ref: 'order#' },
        }),
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
        response: { 200: object({ user: string }) },
      },
    },
    async ({ cookies }, reply) => {
      reply.setCookie('seen', 'yes', { path: '/', httpOnly: true })
      return { user: cookies.session }
    },
  )
})

export default app
