/**
 * `npm run bench:throughput [-- --on node,bun,deno,workerd,lambda --node 24 --rows hello,large --only raw,framework --rounds 5 --seconds 2 --save]`
 *
 * Measures the CPU time of a request in the server, in microseconds, with twenty keep-alive connections, and how fast each contestant
 * is compared with the first, a handler of the platform alone. On a machine with few cores the client is the bottleneck, so requests
 * per second would say little. Figures are medians over all turns of all rounds. Ratios are taken within a turn. Linux.
 *
 * `--node` takes a major, whose binary npm has. The default is the Node that runs this. Each round has fresh processes, and measures
 * each for `--seconds`. `bench:edge` is for the platforms other than Node.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { parseArgs } from 'node:util'
import { nodeBinary } from '../../targets/installed.ts'
import { saveFigures, median } from '../figures.ts'
import { type Platform, prepareContestants, type Contestant } from './contestants.ts'
import { measureLambda } from './lambda.ts'
import { rows, type Row } from './rows.ts'
import { cpuOf } from '../startup.ts'
import { takeAnswer, toBytes } from '../../support/wire.ts'

const turns = 10
const connections = 20

/**
 * Number of answers after which V8 has optimized everything. Before, a request takes up to three times as long. Node 26 needs the
 * most: after 20,000 answers, ten hooks still take 40 % more instructions.
 */
const warmUp = 60_000

/** Warm up in turns too: on Node 22 a process that has been idle for half a minute answers streams up to a third more slowly from then on. */
const warmUpTurn = 2_000

/**
 * Measures the CPU time per request of each contestant in each turn, in microseconds. The processes are fresh and run at the same
 * time. Turns are short, so that other load of the machine affects all contestants alike.
 *
 * @param seconds time for each contestant, in all turns together
 */
async function measureRound(
  contestants: readonly Contestant[],
  row: Row,
  seconds: number,
): Promise<readonly (readonly number[])[]> {
  const servers = await Promise.all(contestants.map(({ start }) => start(row.env)))
  try {
    for (const { port } of servers) await checkAnswer(port, row)
    const loads = await Promise.all(servers.map(({ port }) => Load.open(port, row, connections)))
    for (let turn = 0; turn < warmUp / warmUpTurn; turn++) {
      for (const load of loads) await load.warmUp(warmUpTurn)
    }
    const costs: number[][] = []
    for (let turn = 0; turn < turns; turn++) {
      const cost: number[] = []
      for (const [index, load] of loads.entries()) {
        const pid = servers[index]?.pid as number
        const before = cpuOf(pid)
        const count = await load.run((1000 * seconds) / turns)
        cost.push((1000 * (cpuOf(pid) - before)) / count)
      }
      costs.push(cost)
    }
    for (const load of loads) load.close()
    return costs
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

async function checkAnswer(port: number, row: Row): Promise<void> {
  const { method, path, headers, body = null, status, contentType, answer } = row
  const url = `http://127.0.0.1:${port}${path}`
  const response = await fetch(url, { method, body, ...(headers && { headers }) })
  assert.equal(response.status, status)
  assert.equal(response.headers.get('content-type'), contentType)
  const content = typeof answer === 'string' ? await response.text() : await response.json()
  assert.deepEqual(content, answer)
}

export class Load {
  readonly #sockets: readonly Socket[]
  readonly #row: Row
  readonly #request: Buffer

  private constructor(sockets: readonly Socket[], row: Row) {
    const { path: target, headers = {}, ...request } = row
    this.#sockets = sockets
    this.#row = row
    const bytes = toBytes({ ...request, title: '', target, headers: Object.entries(headers) }, [
      ['host', 'localhost'],
    ])
    this.#request = Buffer.from(bytes, 'latin1')
  }

  static async open(port: number, row: Row, connections: number): Promise<Load> {
    const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'))
    await Promise.all(sockets.map((socket) => once(socket.setNoDelay(), 'connect')))
    return new Load(sockets, row)
  }

  /** Sends requests for `ms`. Returns the number of answers. @throws if an answer has another status */
  async run(ms: number): Promise<number> {
    const deadline = performance.now() + ms
    return this.#driveAll(() => performance.now() >= deadline)
  }

  async warmUp(answers: number): Promise<void> {
    let count = 0
    await this.#driveAll(() => ++count >= answers)
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #driveAll(isOver: () => boolean): Promise<number> {
    const counts = await Promise.all(this.#sockets.map((socket) => this.#drive(socket, isOver)))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  #drive(socket: Socket, isOver: () => boolean): Promise<number> {
    const { method, status } = this.#row
    return new Promise((resolve, reject) => {
      let count = 0
      let received = ''
      const settle = (error?: Error): void => {
        socket.removeAllListeners()
        if (error) reject(error)
        else resolve(count)
      }
      if (socket.destroyed) reject(new Error('The server has closed the connection'))
      socket.on('error', settle)
      socket.on('close', () => settle(new Error('The server closed the connection')))
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        const answer = takeAnswer(received, method, false)?.answer
        if (answer === undefined) return
        received = ''
        count++
        if (answer.status !== status)
          settle(new Error(`The answer has the status ${answer.status}`))
        else if (isOver()) settle()
        else socket.write(this.#request)
      })
      socket.write(this.#request)
    })
  }
}

const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'node' },
    node: { type: 'string' },
    rows: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    save: { type: 'boolean', default: false },
  },
})
const node = values.node === undefined ? process.execPath : nodeBinary(values.node)
const rounds = Number(values.rounds)

/** Costs of each contestant, by turns. */
export type Costs = ReadonlyMap<string, readonly number[]>

for (const platform of values.on.split(',')) {
  console.log(`${platform}; ${rounds} rounds of ${values.seconds} s; CPU time of a request in µs`)
  const table = await measure(platform)
  console.table(table)
  // Lambda has no plain handler to compare with: its page shows times.
  if (values.save && platform !== 'lambda') save(platform as Platform, table)
}

type Table = Readonly<Record<string, Readonly<Record<string, number>>>>

async function measure(platform: string): Promise<Table> {
  const isOnNode = platform === 'node'
  const chosen = rows.filter(
    ({ name, env }) => isSelected(name, values.rows) && (isOnNode || env === undefined),
  )
  const table: Record<string, Record<string, number>> = {}
  if (platform === 'lambda') {
    const costs = await measureLambda(chosen, rounds, (name) => isSelected(name, values.only))
    for (const [row, byName] of costs) table[row] = columnsOf(byName)
    return table
  }
  const all = await prepareContestants(platform as Platform, node)
  const contestants = all.filter(({ name }) => isSelected(name, values.only))
  for (const row of chosen) {
    const costs = new Map<string, number[]>(contestants.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      const turns = await measureRound(contestants, row, Number(values.seconds))
      for (const [index, own] of [...costs.values()].entries())
        own.push(...turns.map((turn) => turn[index] as number))
    }
    table[row.name] = columnsOf(costs)
  }
  return table
}

function isSelected(name: string, words: string): boolean {
  return words.split(',').some((word) => name.includes(word))
}

/** Costs, how fast the contestants are compared with the first, and the framework compared with Fastify. */
function columnsOf(costs: Costs): Record<string, number> {
  const columns: Record<string, number> = {}
  for (const [name, turns] of costs) columns[name] = Number(median(turns).toFixed(1))
  const addRatio = (name: string, base: string): void => {
    const [turns, others] = [costs.get(name), costs.get(base)]
    if (turns === undefined || others === undefined) return
    const ratios = turns.map((cost, turn) => (others[turn] as number) / cost)
    columns[`${name} to ${base}`] = Number(median(ratios).toFixed(2))
  }
  const [first = '', ...rest] = costs.keys()
  for (const name of rest) addRatio(name, first)
  addRatio('framework', 'fastify 5')
  return columns
}

const titles = { node: 'Node', bun: 'Bun', deno: 'Deno', workerd: 'workerd' }

/** Saves the speed of each contestant as a share of the first one's, for the rows that most applications have. */
function save(platform: Platform, table: Table): void {
  const shown = Object.entries(table).filter(([row]) =>
    /^(?:hello|params and query|large body)$/.test(row),
  )
  const groups = shown.map(([label, columns]) => ({
    label,
    bars: Object.entries(columns)
      .filter(([column]) => column.endsWith(' to raw'))
      .map(([column, value]) => ({ name: column.replace(' to raw', ''), value })),
  }))
  const isOnNode = platform === 'node'
  saveFigures(`throughput-${platform}`, {
    title: `Requests per CPU second on ${titles[platform]}`,
    unit: isOnNode
      ? `share of node:http, more is better (Node ${values.node ?? process.versions.node})`
      : 'share of a plain handler, more is better',
    command: isOnNode
      ? 'npm run bench:throughput -- --node 24 --rows "hello,params,large" --save'
      : `npm run bench:edge -- --on ${platform} --save`,
    groups,
  })
}
