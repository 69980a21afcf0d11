import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { FastifyTypeProvider as ForeignTypeProvider } from 'fastify'
import framework, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyTypeProvider,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
  type FastifyBaseLogger,
} from 'framework'
import { same } from './expect.ts'

interface TypeBoxProvider extends FastifyTypeProvider {
  output: this['input'] extends TSchema ? Static<this['input']> : unknown
}
// As published providers are written: against the other package's interface.
interface ForeignTypeBoxProvider extends ForeignTypeProvider {
  output: this['input'] extends TSchema ? Static<this['input']> : unknown
}

const Book = Type.Object({ id: Type.Number(), title: Type.String() })
const schema = {
  params: Type.Object({ id: Type.Number() }),
  querystring: Type.Object({ full: Type.Optional(Type.Boolean()) }),
  headers: Type.Object({ 'X-Tenant': Type.String() }),
  body: Book,
  response: {
    200: Book,
    '4xx': Type.Object({ reason: Type.String() }),
    500: { content: { 'text/plain': { schema: Type.String() } } },
  },
}

const app = framework().withTypeProvider<TypeBoxProvider>()
app.put('/books/:id', { schema }, async (request, reply) => {
  same<number>()(request.params.id)
  same<boolean | undefined>()(request.query.full)
  same<string>()(request.headers['x-tenant'])
  same<{ id: number; title: string }>()(request.body)
  if (request.query.full === true) return reply.code(404).send({ reason: 'no such book' })
  if (request.query.full === false) return 'as text'
  return request.body
})
app.put('/wrong', { schema }, (_request, reply) => {
  // @ts-expect-error none of the responses
  reply.send({ name: 'Emma' })
})
// @ts-expect-error none of the responses
app.put('/wrong', { schema }, async () => ({ name: 'Emma' }))
app.route({
  method: 'POST',
  url: '/',
  schema,
  preHandler: (request, _reply, done) => {
    same<string>()(request.body.title)
    done()
  },
  handler: (request) => request.body,
})

// A part without a schema stays unknown; a route generic wins over the schema.
app.get('/', { schema: { params: schema.params } }, (request) => {
  same<unknown>()(request.body)
  same<number>()(request.params.id)
})
app.get<{ Params: { id: 'all' } }>('/', { schema: { params: schema.params } }, (request) =>
  same<'all'>()(request.params.id),
)

// A provider that is typed for fastify.
framework()
  .withTypeProvider<ForeignTypeBoxProvider>()
  .post('/', { schema: { body: Book } }, (request) => same<string>()(request.body.title))

// It goes with the instance: through chains, into plugins and out of them.
app
  .addSchema({ $id: 'a' })
  .get('/', { schema: { body: Book } }, (request) => same<string>()(request.body.title))
const plugin: FastifyPluginAsync<{ a: 1 }, RawServerDefault, TypeBoxProvider> = async (child) => {
  child.get('/', { schema: { body: Book } }, (request) => same<string>()(request.body.title))
}
app.register(plugin, { a: 1 })
framework().register(plugin, { a: 1 })
type TypedInstance = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxProvider
>
function routes(instance: TypedInstance): void {
  instance.get('/', { schema: { body: Book } }, (request) => same<string>()(request.body.title))
}
routes(app)

// Changed halfway down a chain.
framework()
  .get('/', (request) => same<unknown>()(request.body))
  .withTypeProvider<TypeBoxProvider>()
  .get('/', { schema: { body: Book } }, (request) => same<number>()(request.body.id))

// @ts-expect-error not a provider
app.withTypeProvider<{ input: unknown }>()
