import framework from 'framework/5'
import { book } from '../schemas/index.js'

const app = framework()
app.addSchema(book)
app.post('/books', { schema: { body: { $ref: 'book#' } } }, async (request) => request.body)

await app.listen({ port: Number(process.env.PORT ?? 3000) })
