import plugin from 'fastify-plugin'

const book = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string', minLength: 1 }, year: { type: 'integer' } },
}

async function books(app, options) {
  app.addSchema({ $id: 'book', ...book })
  app.decorate('shelf', options.shelf)

  const stored = {
    type: 'object',
    properties: { shelf: { type: 'string' }, ...book.properties },
  }
  app.post(
    '/books',
    { schema: { body: { $ref: 'book#' }, response: { 201: stored } } },
    async (request, reply) =>
      reply.code(201).send({ shelf: app.getDecorator('shelf'), ...request.body }),
  )

  const search = { type: 'object', properties: { words: { type: 'string' } } }
  app.query('/books', { schema: { body: search } }, async (request) => ({
    host: request.hostname,
    words: request.body.words.split(' '),
  }))
}

export default plugin(books, { name: 'books', fastify: '5.x' })
