/** The application that is measured, on this framework and, with the import redirected, on Fastify. */
import framework, { type FastifyInstance } from 'framework'

const app: FastifyInstance = framework()

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

app.get(
  '/',
  {
    schema: {
      response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } },
    },
  },
  (_request, reply) => {
    reply.send({ hello: 'world' })
  },
)

app.get<{ Params: { shelf: number; book: number }; Querystring: { page: number; full: boolean } }>(
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

app.post<{ Body: { items: readonly { quantity: number; price: number }[] } }>(
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

export default app
