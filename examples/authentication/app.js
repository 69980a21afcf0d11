import jwt from '@fastify/jwt'
import framework from 'framework'

const app = framework()
app.register(jwt, { secret: process.env.JWT_SECRET ?? 'for development only' })

const credentials = {
  type: 'object',
  required: ['name', 'password'],
  properties: { name: { type: 'string' }, password: { type: 'string' } },
}

app.post('/login', { schema: { body: credentials } }, async (request, reply) => {
  const { name, password } = request.body
  if (password !== 'open sesame') return reply.code(401).send({ message: 'Wrong password.' })
  return { token: app.jwt.sign({ name }) }
})

// A context of its own: the hook runs for these routes only.
app.register(async (account) => {
  account.addHook('onRequest', (request) => request.jwtVerify())
  account.get('/me', async (request) => ({ name: request.user.name }))
})

await app.listen({ port: Number(process.env.PORT ?? 3000) })
