/** Finds free ports, and waits for servers in other processes. */
import { createServer, connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

export async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Resolves when something listens at the port. Rejects after `attempts` attempts. */
export async function listening(port: number, attempts = 100): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const socket = connect(port)
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (attempt === attempts) throw error
      await wait(100)
    } finally {
      socket.destroy()
    }
  }
}
