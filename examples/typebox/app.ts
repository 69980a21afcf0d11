import { type Static, type TSchema, Type } from 'typebox'
import framework, { type FastifyTypeProvider } from 'framework/5'

/** Types of `request.body` and so on, from the schemas of the route. */
interface TypeBoxProvider extends FastifyTypeProvider {
  output: this['input'] extends TSchema ? Static<this['input']> : unknown
}

const app = framework().withTypeProvider<TypeBoxProvider>()

const Name = Type.String({ minLength: 1, maxLength: 40 })
const User = Type.Object({ name: Name, email: Type.String({ format: 'email' }) })
const Page = Type.Object({ page: Type.Integer({ minimum: 1, default: 1 }) })

const users: Static<typeof User>[] = []

app.post('/users', { schema: { body: User, response: { 201: User } } }, async (request, reply) => {
  users.push(request.body)
  return reply.code(201).send(request.body)
})

app.get(
  '/users',
  { schema: { querystring: Page, response: { 200: Type.Array(User) } } },
  async (request) => users.slice((request.query.page - 1) * 10, request.query.page * 10),
)

await app.listen({ port: Number(process.env.PORT ?? 3000) })
