import { setTimeout as sleep } from 'node:timers/promises'
import { Client, NoAnswer } from './client.ts'
import { orderly, Refused } from './exchanges.ts'
import { ServerProcess } from './server.ts'

/** How long the process may take to end after `close` has resolved, in milliseconds. */
const patience = 5000

/** Closes a server while it has work to do; returns what went wrong. */
export async function closeUnderLoad(connections: number, round: number): Promise<string[]> {
  const server = new ServerProcess('closing')
  const { port } = await server.ask(undefined, 'listening')
  const clients = new Clients(port)
  const workers = Array.from({ length: connections }, (_, index) => clients.work(index))
  await sleep(500 + 37 * round)
  const start = performance.now()
  const { accepted } = await server.ask('close', 'closed')
  const ms = performance.now() - start
  const exit = await Promise.race([server.exit, sleep(patience, 'no end', { ref: false })])
  server.kill()
  await Promise.all(workers)

  const { answered, refused, unanswered, faults } = clients
  console.log(
    `close in ${ms.toFixed(0)} ms: ${answered} requests answered, ${refused} refused, ` +
      `${unanswered.size} not accepted`,
  )
  if (exit !== '0') faults.push(`after close the process ended with: ${exit}`)
  if (server.complaints !== '') faults.push(`the server wrote ${server.complaints}`)
  const lost = accepted.filter((id) => unanswered.has(id))
  return [...faults, ...lost.map((id) => `request ${id} was accepted but not answered`)]
}

class Clients {
  readonly faults: string[] = []
  readonly unanswered = new Set<string>()
  answered = 0
  refused = 0
  readonly #port: number
  #lastId = 1_000_000

  constructor(port: number) {
    this.#port = port
  }

  /** Keeps one connection busy until the server ends it. */
  async work(index: number): Promise<void> {
    const kinds = Object.entries(orderly)
    const client = new Client(this.#port)
    for (let turn = index; client.isOpen; turn++) {
      const [name, exchange] = kinds[turn % kinds.length] as (typeof kinds)[number]
      const id = String(++this.#lastId)
      try {
        await exchange(client, id)
        this.answered++
      } catch (error) {
        if (error instanceof Refused) this.refused++
        else if (error instanceof NoAnswer) this.unanswered.add(id)
        else this.faults.push(`${name}: ${(error as Error).message}`)
        client.destroy()
      }
    }
  }
}
