/** The server process: sends its port, then handles commands. */
import type { AddressInfo } from 'node:net'
import app from './application.ts'

export type Command = 'rss' | 'heap' | 'close'

/** The answer to a command. The first message has the port. */
export interface Message {
  readonly port?: number
  /** Resident memory, or what is left in use after a garbage collection, in MiB. */
  readonly size?: number
  /** After `close`, the ids of all requests whose head had arrived. */
  readonly accepted?: readonly string[]
}

const accepted: string[] = []

if (process.argv[2] === 'closing') {
  app.server.prependListener('request', ({ headers }) => accepted.push(String(headers['x-id'])))
}
await app.listen({ port: 0, host: '127.0.0.1' })

process.on('message', (command: Command) => {
  if (command === 'rss') send({ size: process.memoryUsage.rss() / 2 ** 20 })
  else if (command === 'heap') tellHeap()
  else void close()
})
send({ port: (app.server.address() as AddressInfo).port })

function tellHeap(): void {
  globalThis.gc?.()
  globalThis.gc?.()
  send({ size: process.memoryUsage().heapUsed / 2 ** 20 })
}

/** After it, only the channel to the parent may keep the process alive. */
async function close(): Promise<void> {
  await app.close()
  send({ accepted })
  process.disconnect()
}

function send(message: Message): void {
  process.send?.(message)
}
