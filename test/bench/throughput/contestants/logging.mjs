/** An application that logs each request. */
import framework from 'framework'

const app = framework({ logger: { file: '/dev/null' } })

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

export default app
