const author = { type: 'object', properties: { name: { type: 'string' } } }

export default async function authors(app) {
  const schema = { summary: 'All authors', response: { 200: { type: 'array', items: author } } }
  app.get('/', { schema }, async () => [{ name: 'Jane Austen' }])
}
