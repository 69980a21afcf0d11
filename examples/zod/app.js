import framework from 'framework/5'
import { z } from 'zod/v4'

const app = framework()

const Order = z.object({
  item: z.string().min(1),
  quantity: z.int().min(1).default(1),
})
const Receipt = z.object({ total: z.number() })

app.post(
  '/orders',
  { schema: { body: input(Order), response: { 200: output(Receipt) } } },
  async (request) => ({ total: request.body.quantity * 12.5, cost: 'not in the schema' }),
)

/** The JSON schema of what clients send. */
function input(type) {
  return z.toJSONSchema(type, { target: 'draft-7', io: 'input' })
}

/** The JSON schema of what clients get. */
function output(type) {
  return z.toJSONSchema(type, { target: 'draft-7' })
}

await app.listen({ port: Number(process.env.PORT ?? 3000) })
