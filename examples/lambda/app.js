import framework from 'framework/5'

export default function orders() {
  const app = framework()
  const body = {
    type: 'object',
    required: ['item'],
    properties: { item: { type: 'string' }, quantity: { type: 'integer', minimum: 1, default: 1 } },
  }
  app.post('/orders', { schema: { body } }, async (request) => request.body)
  return app
}
