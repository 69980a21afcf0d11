import bearerAuth from '@fastify/bearer-auth'
import wrap from 'fastify-plugin'
import framework, { errorCodes, type FastifyInstance, type FastifyRequest } from 'framework'
import plugin, { type PluginMetadata } from 'framework/plugin'
import required = require('framework')

declare module 'framework' {
  interface FastifyReply {
    notModified(): FastifyReply
  }
}

const metadata: PluginMetadata = { name: 'replies' }
const replies = plugin(async (app: FastifyInstance) => {
  app.decorateReply('notModified', function () {
    return this.code(304).send()
  })
}, metadata)

const app: required.FastifyInstance = required({ logger: true })
const same: framework.FastifyInstance = app
same
  .register(replies)
  .register(wrap(replies))
  .register(bearerAuth, { keys: ['secret'] })
same.get('/', (request: FastifyRequest, reply) => {
  request.server.verifyBearerAuth?.(request, reply, () => {})
  reply.notModified()
})
required.fastify().close()
new required.errorCodes.FST_ERR_NOT_FOUND()
new errorCodes.FST_ERR_NOT_FOUND()
// @ts-expect-error nothing declares it
same.verifyBasicAuth
