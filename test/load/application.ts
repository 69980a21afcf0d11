/** The application under load: each answer carries the id of its request, in a header and in the body. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import framework, { type FastifyInstance } from 'framework'

const bodyLimit = 16_384

const app: FastifyInstance = framework({ bodyLimit })

app.addHook('onRequest', async (request, reply) => {
  reply.header('x-id', request.headers['x-id'])
})

app.addHook('onSend', async (_request, _reply, payload) => payload)

const answer = {
  200: {
    type: 'object',
    properties: { id: { type: 'string' }, total: { type: 'integer' }, note: { type: 'string' } },
  },
}

app.get<{ Params: { id: string }; Querystring: { wait: number } }>(
  '/items/:id',
  {
    schema: {
      params: { type: 'object', properties: { id: { type: 'string', pattern: '^[0-9]+$' } } },
      querystring: {
        type: 'object',
        properties: { wait: { type: 'integer', minimum: 0, maximum: 1000, default: 0 } },
      },
      response: answer,
    },
  },
  async ({ params, query }) => {
    if (query.wait > 0) await sleep(query.wait)
    return { id: params.id, total: query.wait }
  },
)

app.post<{ Body: { id: string; lines: readonly { count: number }[]; note: string } }>(
  '/orders',
  {
    schema: {
      body: {
        type: 'object',
        required: ['id', 'lines'],
        properties: {
          id: { type: 'string' },
          lines: {
            type: 'array',
            items: {
              type: 'object',
              required: ['count'],
              properties: { count: { type: 'integer', minimum: 1 } },
            },
          },
          note: { type: 'string' },
        },
      },
      response: answer,
    },
  },
  (request, reply) => {
    const { id, lines, note } = request.body
    reply.send({ id, total: lines.reduce((sum, { count }) => sum + count, 0), note })
  },
)

/** A line with the id over and over, `lines` times, by a stream. */
app.get<{ Params: { id: string; lines: string } }>('/streams/:id/:lines', (request, reply) => {
  const { id, lines } = request.params
  const thousand = `${id}\n`.repeat(1000)
  const parts = Array.from({ length: Number(lines) / 1000 }, () => thousand)
  reply.type('text/plain').send(Readable.from(parts))
})

app.get<{ Params: { id: string } }>('/failures/:id', async ({ params }) => {
  throw new Error(`failure of ${params.id}`)
})

export default app
