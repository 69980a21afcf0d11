/**
 * `npm run bench:deploy [-- --runs 11 --routes 1,100,1000,realistic --nodes 22,24 --only word,word]`; Linux only.
 *
 * Measures what a fresh process costs from its start to its first validated and serialized response, deployed in each way: CPU time
 * and memory beyond those of a server without a framework. Routes are a kilobyte of source each; `realistic` is
 * fixtures/deploy/office. Contestants take turns, and medians are of the differences within a turn: the machine's
 * speed drifts, differences hold.
 *
 * `--nodes` takes majors, which npm has the binaries of, or paths. `--only` takes contestants that have one of the words in
 * their name.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { nodeBinary } from '../../nodes/install.ts'
import type { NodeRelease, Workload } from './contestants.ts'
import { prepare } from './contestants.ts'
import { type Cost, race } from '../startup.ts'
import { printTable } from './table.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '11' },
    routes: { type: 'string', default: '1,100,1000,realistic' },
    nodes: { type: 'string', default: '22,24' },
    only: { type: 'string', default: '' },
  },
})
const runs = Number(values.runs)
const words = values.only.split(',')
const nodes = values.nodes.split(',').map(toRelease)
const workloads = values.routes
  .split(',')
  .map((one): Workload => (one === 'realistic' ? one : Number(one)))

const results = new Map<string, Cost>()
/** Names of contestants, in the order of the table. */
const measured = new Set<string>()
for (const node of nodes) {
  for (const workload of workloads) {
    const wants = (name: string): boolean => words.some((word) => name.includes(word))
    const { request, contestants } = await prepare(workload, node, wants)
    const medians = await race(contestants, request, runs)
    for (const [name, cost] of medians) {
      measured.add(name)
      results.set(keyOf(name, workload, node), cost)
    }
  }
}
const versions = nodes.map(({ binary }) => versionOf(binary)).join(', ')
console.log(`Node ${versions}; ${runs} runs each, medians\n`)
const counts = workloads.filter((one) => one !== 'realistic')
for (const group of [counts, workloads.filter((one) => one === 'realistic')]) {
  const names = [...measured].filter((name) =>
    nodes.some((node) => group.some((one) => costOf(name, one, node))),
  )
  if (group.length > 0) printTable(nodes, group, names, costOf)
}

function costOf(name: string, workload: Workload, node: NodeRelease): Cost | undefined {
  return results.get(keyOf(name, workload, node))
}

function keyOf(name: string, workload: Workload, { major }: NodeRelease): string {
  return JSON.stringify([name, workload, major])
}

function toRelease(given: string): NodeRelease {
  if (/^\d+$/.test(given)) return { major: given, binary: nodeBinary(given) }
  return { major: versionOf(given).replace(/\..*/, ''), binary: given }
}

function versionOf(binary: string): string {
  return spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1)
}
