import bearerAuth from '@fastify/bearer-auth'
import wrap from 'fastify-plugin'
import framework, {
  errorCodes,
  fastify,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'framework'
import plugin, { type PluginMetadata } from 'framework/plugin'

declare module 'framework' {
  interface FastifyInstance {
    database: { name: string }
  }
  interface FastifyRequest {
    tenant: string
  }
}

const metadata: PluginMetadata = { name: 'database' }
const database = plugin(async (app: FastifyInstance, options: { name: string }) => {
  app.decorate('database', options)
}, metadata)
// The real wrapper takes what is typed for this package, because its own types are this package's as well.
const routes: FastifyPluginAsync<{ root: string }> = async (app, options) => {
  app.get(options.root, async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-tenant', request.tenant)
    return app.database.name
  })
}

const app: framework.FastifyInstance = framework({ logger: true })
app.register(database, { name: 'books' })
app.register(wrap(routes, { name: 'routes' }), { root: '/' })
app.register(bearerAuth, { keys: ['secret'], addHook: false })
// Declarations of a plugin for `fastify` apply here.
app.after(() => {
  const verify = app.verifyBearerAuth
  if (verify !== undefined) app.get('/guarded', { preHandler: verify }, () => 'yes')
})
// @ts-expect-error the keys are missing
app.register(bearerAuth, {})
// @ts-expect-error nothing declares it
app.verifyBasicAuth

new errorCodes.FST_ERR_NOT_FOUND()
fastify().close()
export type { routes }
