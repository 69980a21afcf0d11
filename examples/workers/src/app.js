import framework from 'framework/5'
import { fetchArguments } from 'framework/fetch'

/** The bindings of wrangler.jsonc. */
const bindings = (request) => fetchArguments(request)[1]

const order = {
  type: 'object',
  required: ['item'],
  properties: {
    item: { type: 'string', minLength: 1 },
    quantity: { type: 'integer', minimum: 1, default: 1 },
  },
}
const stored = {
  type: 'object',
  properties: { ...order.properties, id: { type: 'string' }, status: { type: 'string' } },
}
const id = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } }
const room = { type: 'object', properties: { room: { type: 'string', pattern: '^[a-z]{1,20}$' } } }

/** Orders are kept in KV and packed by a queue. People talk in rooms, which are Durable Objects. */
export default function shop(options) {
  const app = framework({ logger: true, ...options })

  app.post(
    '/orders',
    { schema: { body: order, response: { 201: stored } } },
    async (request, reply) => {
      const { ORDERS, PACKING } = bindings(request)
      const created = { ...request.body, id: crypto.randomUUID(), status: 'ordered' }
      await ORDERS.put(created.id, JSON.stringify(created))
      await PACKING.send({ id: created.id })
      request.log.info({ order: created.id }, 'ordered')
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/orders/:id',
    { schema: { params: id, response: { 200: stored } } },
    async (request, reply) => {
      const found = await bindings(request).ORDERS.get(request.params.id, 'json')
      return found ?? reply.code(404).send()
    },
  )

  // The answer of the room has the socket. Hooks and validation run before it.
  app.get('/rooms/:room', { schema: { params: room } }, (request) => {
    const [incoming, { ROOMS }] = fetchArguments(request)
    return ROOMS.getByName(request.params.room).fetch(incoming)
  })

  return app
}
