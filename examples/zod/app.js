import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import framework from 'framework/5'
import { z } from 'zod'

const app = framework()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)

const Order = z.object({
  item: z.string().trim().min(1),
  quantity: z.number().int().min(1).default(1),
})
const Receipt = z.object({ total: z.number() })

app.post('/orders', { schema: { body: Order, response: { 200: Receipt } } }, async (request) => ({
  total: request.body.quantity * 12.5,
  cost: 'not in the schema',
}))

await app.listen({ port: Number(process.env.PORT ?? 3000) })
