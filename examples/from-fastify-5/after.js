import Fastify from 'framework/5'
import books from './books.js'

const app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, handlerTimeout: 5000 })
app.register(books, { shelf: 'novels' })

await app.listen({ port: Number(process.env.PORT ?? 3000) })
