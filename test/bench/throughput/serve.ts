/**
 * The server process: `serve.js raw|application`. Sends the port once it listens, and the CPU time it has used so
 * far, in milliseconds, in answer to any message.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRawServer } from './raw.ts'

const server = process.argv[2] === 'raw' ? await listenRaw() : await listenApplication()

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: (user + system) / 1000 })
})
process.send?.({ port: (server.address() as AddressInfo).port })

async function listenApplication(): Promise<Server> {
  const { default: app } = await import('./application.ts')
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server
}

function listenRaw(): Promise<Server> {
  const server = createRawServer()
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
