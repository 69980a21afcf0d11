import { join } from 'node:path'
import autoload from '@fastify/autoload'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import framework from 'framework'

const app = framework()

app.register(swagger, { openapi: { info: { title: 'The library', version: '1.0.0' } } })
app.register(swaggerUi, { routePrefix: '/docs' })
app.register(autoload, { dir: join(import.meta.dirname, 'routes') })

await app.listen({ port: Number(process.env.PORT ?? 3000) })
