import framework from 'framework/5'

export default function greeter() {
  const app = framework()
  const querystring = {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, default: 'world' } },
  }
  app.get('/', { schema: { querystring } }, async (request) => ({ hello: request.query.name }))
  return app
}
