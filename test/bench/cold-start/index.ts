/**
 * `npm run bench:cold-start [-- --runs 11 --routes 1,10,100,1000 --style loop|literal --nodes 22,24 --only word,word --save]` (Linux)
 *
 * Measures a fresh process from its start to its first validated and serialized response: CPU time and memory beyond those of a
 * server without a framework. `bench:deploy`, `bench:bridge` and `bench:workerd` compare other contestants, see `kinds.ts`.
 *
 * `--nodes` takes majors of Node.js, whose binaries npm has. `--only` takes words in the names of contestants. `--style literal` writes out each route, a kilobyte of source. The workload `realistic` of `bench:deploy` is fixtures/deploy/office.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { nodeBinary } from '../../targets/installed.ts'
import type { Style } from '../application.ts'
import { type Figures, saveFigures } from '../figures.ts'
import { plural } from '../prepare.ts'
import { type Contestant, nodeContestant, race } from '../startup.ts'
import { kinds } from './kinds.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '11' },
    routes: { type: 'string' },
    style: { type: 'string' },
    nodes: { type: 'string' },
    only: { type: 'string', default: '' },
    save: { type: 'boolean', default: false },
  },
})
const [name = 'lines'] = positionals
const kind = kinds[name]
if (kind === undefined) throw new Error(`There is no benchmark "${name}"`)
const { routes = kind.routes, nodes = kind.nodes } = values
const style = (values.style ?? kind.style) as Style
const words = values.only.split(',')
const groups: Figures['groups'][number][] = []

for (const node of nodes === '' ? [process.execPath] : nodes.split(',').map(nodeBinary)) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  console.log(`\nNode ${version}, ${values.runs} runs each, medians; CPU time in ms, memory in MB`)
  for (const workload of routes.split(',')) {
    const { request, programs, sizes } = kind.prepare(workload, style)
    const contestants: Contestant[] = []
    for (const [title, make] of Object.entries(programs)) {
      const isSelected = words.some((word) => title.includes(word))
      if (contestants.length > 0 && !isSelected) continue
      const program = await make(node)
      contestants.push(
        typeof program === 'function'
          ? { name: title, start: program }
          : nodeContestant(title, program, node),
      )
    }
    const costs = await race(contestants, request, Number(values.runs))
    const label = Number.isNaN(Number(workload)) ? workload : plural(Number(workload))
    console.log(`\n${label}; beyond ${contestants[0]?.name}, what the others add`)
    console.table(
      Object.fromEntries(
        [...costs].map(([title, { cpu, rss }]) => [
          title,
          {
            'CPU ms': Math.round(cpu),
            'RSS MB': Math.round(rss),
            ...(sizes && { 'kB gzip': Math.round((sizes.get(title) ?? 0) / 1000) }),
          },
        ]),
      ),
    )
    const bars = [...costs]
      .slice(1)
      .map(([title, { cpu }]) => ({ name: title, value: Math.round(cpu) }))
    groups.push({ label, bars })
  }
  if (values.save) {
    saveFigures('cold-start', {
      title: 'CPU time to the first response, beyond node:http',
      unit: `ms, less is better (Node ${version})`,
      command: 'npm run bench:cold-start -- --routes 1,100,1000 --save',
      groups,
    })
  }
}
