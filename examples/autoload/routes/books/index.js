const book = { type: 'object', properties: { title: { type: 'string' } } }

export default async function books(app) {
  const schema = { summary: 'All books', response: { 200: { type: 'array', items: book } } }
  app.get('/', { schema }, async () => [{ title: 'Emma' }])
}
