/**
 * `npm run bench:throughput [-- --node 24 --rows hello,body --only raw,framework --rounds 5 --seconds 2 --save]`
 *
 * The CPU time that a server takes for a request, in microseconds, from twenty keep-alive connections. On a machine with few
 * cores the client is the bottleneck, so requests per second of the clock would say little. Ratios are of speeds: 1.1 is
 * a tenth more requests in the same CPU time. Figures are medians over all turns of all rounds, each ratio taken within one turn.
 *
 * `--node` takes a major, which npm has the binary of; without it, the one that runs this. Each round has fresh processes,
 * of which each is measured for `--seconds`.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { nodeBinary } from '../../nodes/install.ts'
import { saveFigures } from '../figures.ts'
import { median } from '../median.ts'
import { type Contestant, prepareContestants } from './contestants.ts'
import { measureRound } from './measure.ts'
import { type Row, rows } from './rows.ts'

const { values } = parseArgs({
  options: {
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
const seconds = Number(values.seconds)

const contestants = prepareContestants().filter(({ name }) => isMeant(name, values.only))
const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
console.log(`Node ${version}; ${rounds} rounds of ${seconds} s; CPU time of a request in µs\n`)
const table: Record<string, Record<string, number>> = {}
for (const row of rows.filter(({ name }) => isMeant(name, values.rows))) {
  table[row.name] = await compare(row)
}
console.table(table)
if (values.save) {
  saveFigures('throughput-node', {
    title: 'Requests per CPU second on Node',
    unit: `share of node:http, more is better (Node ${version})`,
    command: 'npm run bench:throughput -- --node 24 --rows "hello,params,large" --save',
    groups: Object.entries(table).map(([label, columns]) => ({
      label,
      bars: Object.entries(columns)
        .filter(([column]) => column.endsWith(' to raw'))
        .map(([column, value]) => ({ name: column.replace(' to raw', ''), value })),
    })),
  })
}

function isMeant(name: string, words: string): boolean {
  return words.split(',').some((word) => name.includes(word))
}

async function compare(row: Row): Promise<Record<string, number>> {
  const costs: (readonly number[])[] = []
  for (let round = 0; round < rounds; round++) {
    costs.push(...(await measureRound(node, contestants, row, seconds)))
  }
  const columns: Record<string, number> = {}
  for (const [index, { name }] of contestants.entries()) {
    columns[name] = rounded(median(costs.map((turn) => turn[index] as number)), 1)
  }
  for (const peer of ['raw', 'fastify 5']) addRatios(columns, peer, contestants, costs)
  return columns
}

/** Adds how fast each contestant is, compared with one of them. */
function addRatios(
  columns: Record<string, number>,
  peer: string,
  all: readonly Contestant[],
  costs: readonly (readonly number[])[],
): void {
  const base = all.findIndex(({ name }) => name === peer)
  if (base === -1) return
  for (const [index, { name }] of all.entries()) {
    if (index === base || (peer !== 'raw' && name !== 'framework')) continue
    const ratios = costs.map((turn) => (turn[base] as number) / (turn[index] as number))
    columns[`${name} to ${peer}`] = rounded(median(ratios), 2)
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
