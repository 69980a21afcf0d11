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
import { parseArgs } from 'node:util'
import { nodeBinary } from '../../targets/installed.ts'
import { saveFigures, median } from '../figures.ts'
import { type Platform, prepareContestants } from './contestants.ts'
import { measureLambda } from './lambda.ts'
import { measureRound } from './load.ts'
import { rows } from './rows.ts'

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
const titles = { node: 'Node', bun: 'Bun', deno: 'Deno', workerd: 'workerd' }

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
