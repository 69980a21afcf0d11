/** Preloaded into a deployment: serves the parent of the engine when the application listens. */
import { subscribe } from 'node:diagnostics_channel'
import { reportFailure, serveParent, type HostedInstance } from './app-process.ts'

subscribe('fastify.initialization', (message) => {
  const { fastify: instance } = message as { fastify: HostedInstance }
  const { listen } = instance
  instance.listen = async (options) => {
    const address = await listen.call(instance, options)
    serveParent(instance)
    return address
  }
})
process.on('uncaughtExceptionMonitor', reportFailure)
