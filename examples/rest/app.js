import framework from 'framework/5'
import books from './books.js'

const app = framework({ logger: { level: 'warn' } })

app.addSchema({
  $id: 'problem',
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
})
app.addSchema({
  $id: 'book',
  type: 'object',
  required: ['title'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string', minLength: 1 },
    year: { type: 'integer' },
  },
})

app.register(books, { prefix: '/books' })

await app.listen({ port: Number(process.env.PORT ?? 3000) })
