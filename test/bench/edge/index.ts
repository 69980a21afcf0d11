/**
 * `npm run bench:edge [-- --on bun,deno,workerd,lambda --rows hello,body --only raw,framework --rounds 3 --seconds 2 --save]`; Linux only.
 *
 * The CPU time that a server takes for a request where it gets `Request` objects or events, in microseconds, and the speed of each
 * contestant as a share of a plain handler's. `floor` is the least that the framework can cost. Peers do less work: Hono
 * converts no params, checks no e-mail addresses and has no response schemas. Contestants take turns, medians are compared.
 */
import { parseArgs } from 'node:util'
import { saveFigures } from '../figures.ts'
import { median } from '../median.ts'
import { cpuOf } from '../process.ts'
import { measureTurns } from '../throughput/measure.ts'
import { type Row, rows as allRows } from '../throughput/rows.ts'
import { type Platform, prepareContestants } from './contestants.ts'
import { measureLambda } from './lambda.ts'

/** After so many answers of a row, its code is compiled. */
const warmUp = 20_000

const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'bun,deno,workerd,lambda' },
    rows: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    save: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const rows = allRows.filter(
  ({ name }) => name !== 'logging' && name !== 'small body' && isMeant(name, values.rows),
)

/** The floor has no hooks and no streams. */
const aboveFloor = new Set(['ten hooks', 'cookies and auth', 'stream'])

for (const platform of values.on.split(',')) {
  console.log(`${platform}; ${rounds} rounds of ${seconds} s; CPU time of a request in µs`)
  const costs =
    platform === 'lambda'
      ? await measureLambda(rows, rounds, (name) => isMeant(name, values.only))
      : await measureServers(platform as Platform)
  print(costs)
  // Lambda has no plain handler to compare with: its page shows times.
  if (values.save && platform !== 'lambda') save(platform as Platform, costs)
}

function isMeant(name: string, words: string): boolean {
  return words.split(',').some((word) => name.includes(word))
}

/** Costs by row, contestant and turn. */
type Costs = Map<string, Map<string, number[]>>

async function measureServers(platform: Platform): Promise<Costs> {
  const contestants = (await prepareContestants(platform)).filter(({ name }) =>
    isMeant(name, values.only),
  )
  const costs: Costs = new Map(rows.map(({ name }) => [name, new Map()]))
  for (let round = 0; round < rounds; round++) {
    const running = await Promise.all(
      contestants.map(async ({ name, start }) => ({ name, ...(await start()) })),
    )
    try {
      for (const row of rows) await measureRow(row)
    } finally {
      await Promise.all(running.map(({ stop }) => stop()))
    }

    async function measureRow(row: Row): Promise<void> {
      const meant = running.filter(({ name }) => name !== 'floor' || !aboveFloor.has(row.name))
      const turns = await measureTurns(
        meant.map(({ port }) => port),
        row,
        { seconds, warmUp, cpuTime: (index) => cpuOf(meant[index]?.pid as number) * 1000 },
      )
      for (const [index, { name }] of meant.entries()) {
        const all = costs.get(row.name) as Map<string, number[]>
        all.set(name, [...(all.get(name) ?? []), ...turns.map((turn) => turn[index] as number)])
      }
    }
  }
  return costs
}

/** Saves the speed of each contestant as a share of the first one's, for the rows that most applications have. */
function save(platform: Platform, costs: Costs): void {
  const shown = [...costs].filter(([row]) => /^(?:hello|params and query|large body)$/.test(row))
  const groups = shown.map(([label, byName]) => {
    const [base = []] = byName.values()
    const peers = [...byName].slice(1).filter(([name]) => name !== 'floor')
    const bars = peers.map(([name, turns]) => {
      const ratios = turns.map((cost, turn) => (base[turn] as number) / cost)
      return { name, value: Number(median(ratios).toFixed(2)) }
    })
    return { label, bars }
  })
  saveFigures(`throughput-${platform}`, {
    title: `Requests per CPU second on ${titles[platform]}`,
    unit: `share of a plain handler, more is better`,
    command: 'npm run bench:edge -- --save',
    groups,
  })
}

const titles: Readonly<Record<Platform, string>> = { bun: 'Bun', deno: 'Deno', workerd: 'workerd' }

function print(costs: Costs): void {
  const table: Record<string, Record<string, number>> = {}
  for (const [row, byName] of costs) {
    const columns: Record<string, number> = (table[row] = {})
    for (const [name, turns] of byName) columns[name] = Number(median(turns).toFixed(1))
    const [base, ...others] = byName
    for (const [name, turns] of others) {
      const ratios = turns.map((cost, turn) => ((base?.[1] ?? [])[turn] as number) / cost)
      columns[`${name} to ${base?.[0]}`] = Number(median(ratios).toFixed(2))
    }
  }
  console.table(table)
}
