/** Finds free ports, and waits for servers in other processes. */
import { createServer, connect } from 'node:net'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

/** Returns a port that `listen(0)` gives to no other program before it is used: systems take such ports from 32768 upwards. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000)
    const server = createServer().listen(port)
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
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
