/**
 * Serves the function that a module exports, which takes a request and a response. With the argument `read`, reads the body first,
 * as Google's Functions Framework does.
 */
import { subscribe } from 'node:diagnostics_channel'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { reportFailure, serveParent, type HostedInstance } from './app-process.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const [, , file = '', how] = process.argv

let instance: HostedInstance | undefined
subscribe('fastify.initialization', (message) => {
  instance = (message as { fastify: HostedInstance }).fastify
})
process.on('uncaughtExceptionMonitor', reportFailure)

const { default: handler } = (await import(pathToFileURL(file).href)) as { default: Handler }
const server = createServer((request, response) => {
  const ready = how === 'read' ? read(request) : Promise.resolve()
  ready.then(() => handler(request, response)).catch(reportFailure)
})
server.listen(0, '127.0.0.1', () => {
  if (instance !== undefined) serveParent(instance, server.address())
})
process.once('disconnect', () => process.exit())

async function read(request: IncomingMessage): Promise<void> {
  Object.assign(request, { rawBody: await buffer(request) })
}
