const params = { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } }
const book = { $ref: 'book#' }
const problem = { $ref: 'problem#' }

/** The books, in memory. */
export default async function books(app) {
  const shelf = new Map()

  app.get('/', { schema: { response: { 200: { type: 'array', items: book } } } }, () => [
    ...shelf.values(),
  ])

  app.get(
    '/:id',
    { schema: { params, response: { 200: book, 404: problem } } },
    (request, reply) => {
      const found = shelf.get(request.params.id)
      reply.code(found ? 200 : 404).send(found ?? { message: 'There is no such book.' })
    },
  )

  app.post('/', { schema: { body: book, response: { 201: book } } }, (request, reply) => {
    const added = { ...request.body, id: shelf.size + 1 }
    shelf.set(added.id, added)
    reply.code(201).send(added)
  })

  app.delete('/:id', { schema: { params } }, (request, reply) => {
    shelf.delete(request.params.id)
    reply.code(204).send()
  })
}
