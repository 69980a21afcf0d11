/**
 * The server process: `serve.js <module>`. The module's default export is a server, or an application that listens. Sends the
 * port once it listens, and the CPU time it has used so far, in microseconds, in answer to any message.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'

interface Application {
  readonly server: Server
  listen(options: { port: number; host: string }): Promise<string>
}

const module = pathToFileURL(process.argv[2] as string).href
const { default: program } = (await import(module)) as { default: Server | Application }
const server = 'server' in program ? await listen(program) : await listenBare(program)

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system })
})
process.send?.({ port: (server.address() as AddressInfo).port })

async function listen(app: Application): Promise<Server> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server
}

function listenBare(bare: Server): Promise<Server> {
  // Fastify's default: a server waits for its turn longer than Node's five seconds.
  bare.keepAliveTimeout = 72_000
  return new Promise((resolve) => bare.listen(0, '127.0.0.1', () => resolve(bare)))
}
