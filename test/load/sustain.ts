import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from './client.ts'
import { type Exchange, exchanges } from './exchanges.ts'
import { ServerProcess } from './server.ts'

/** Resident memory is compared over so many windows of equal length. */
const windowCount = 5

/** What may be gained from the middle window to the last one. */
const tolerance = { factor: 1.1, mib: 8 }

/** Keeps the connections busy for a time; returns what went wrong. */
export async function sustainLoad(seconds: number, connections: number): Promise<string[]> {
  const server = new ServerProcess('sustained')
  const { port } = await server.ask(undefined, 'listening')
  const run = new Run(port, Date.now() + seconds * 1000)
  const workers = Array.from({ length: connections }, (_, index) => run.work(index))
  const windows: number[] = []
  let heapAtStart = 0
  for (let index = 0; index < windowCount; index++) {
    windows.push(await watch(server, (seconds * 1000) / windowCount))
    if (index === 0) heapAtStart = (await server.ask('heap', 'heap')).size
  }
  await Promise.all(workers)
  // Until the server has noticed that the connections are gone.
  await sleep(500)
  const heapAtEnd = (await server.ask('heap', 'heap')).size
  await server.ask('close', 'closed')
  const exit = await server.exit

  print(run.counts, seconds)
  console.log(`resident memory by window, MiB: ${windows.map((size) => size.toFixed(0)).join(' ')}`)
  console.log(
    `heap in use, MiB: ${heapAtStart.toFixed(1)} under load, ${heapAtEnd.toFixed(1)} after`,
  )
  const [, , middle, , last] = windows as [number, number, number, number, number]
  if (last > middle * tolerance.factor + tolerance.mib) {
    run.faults.push('resident memory does not settle')
  }
  if (heapAtEnd > heapAtStart * tolerance.factor + 1) {
    run.faults.push('more is in use after the load than was under it')
  }
  if (exit !== '0') run.faults.push(`the server ended with ${exit}`)
  if (server.complaints !== '') run.faults.push(`the server wrote ${server.complaints}`)
  return run.faults
}

/** The median of the resident memory over some time, in MiB. */
async function watch(server: ServerProcess, ms: number): Promise<number> {
  const sizes: number[] = []
  for (const end = Date.now() + ms; Date.now() < end; await sleep(100)) {
    sizes.push((await server.ask('rss', 'rss')).size)
  }
  return sizes.sort((a, b) => a - b)[sizes.length >> 1] as number
}

class Run {
  readonly faults: string[] = []
  readonly counts = new Map<string, number>()
  readonly #port: number
  readonly #end: number
  #lastId = 1_000_000

  constructor(port: number, end: number) {
    this.#port = port
    this.#end = end
  }

  /** One connection after another, one exchange after another. */
  async work(index: number): Promise<void> {
    const kinds = Object.entries(exchanges)
    let client = new Client(this.#port)
    for (let turn = index; Date.now() < this.#end; turn++) {
      // Every second exchange is an ordinary one.
      const [name, exchange] = kinds[turn % 2 === 0 ? (turn >> 1) % kinds.length : 0] as [
        string,
        Exchange,
      ]
      if (!client.isOpen) client = new Client(this.#port)
      try {
        await exchange(client, String(++this.#lastId))
        this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
      } catch (error) {
        this.faults.push(`${name}: ${(error as Error).message}`)
        client.destroy()
      }
    }
    client.destroy()
  }
}

function print(counts: ReadonlyMap<string, number>, seconds: number): void {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  for (const [name, count] of counts) console.log(`${name.padEnd(20)} ${String(count).padStart(8)}`)
  console.log(`${total} exchanges in ${seconds} s`)
}
