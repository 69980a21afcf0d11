/**
 * `npm run bench:cold-start [-- --runs 11 --routes 1,10,100,1000 --style loop|literal --node 24 --compile-cache --save]` (Linux)
 *
 * Measures what a fresh process costs from its start to its first validated and serialized response. `--node` is a major of Node.js,
 * which npm has the binary of; by default the one that runs this. With `--compile-cache` all contestants use Node's compile cache.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeBinary } from '../nodes/install.ts'
import { prepareStarts, sampleRequest, type Style } from './application.ts'
import { type Figures, saveFigures } from './figures.ts'
import { plural, root } from './prepare.ts'
import { type Contestant, fillCache, nodeContestant, race, rounded } from './startup.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '11' },
    routes: { type: 'string', default: '1,10,100,1000' },
    style: { type: 'string', default: 'loop' },
    node: { type: 'string' },
    'compile-cache': { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
})
const node = values.node === undefined ? process.execPath : nodeBinary(values.node)
const caches = mkdtempSync(join(tmpdir(), 'compile-cache-'))
process.on('exit', () => rmSync(caches, { recursive: true }))

const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
const setting = values['compile-cache'] ? `${version} with a compile cache` : version
console.log(`node ${setting}, ${values.runs} runs each, medians; CPU time in ms, memory in MB\n`)
const groups: Figures['groups'][number][] = []
for (const count of values.routes.split(',').map(Number)) {
  const costs = await race(await prepare(count), sampleRequest, Number(values.runs))
  console.log(`${plural(count)}; beyond node:http, what the others add`)
  console.table(Object.fromEntries([...costs].map(([name, cost]) => [name, rounded(cost)])))
  const bars = [...costs].slice(1).map(([name, { cpu }]) => ({ name, value: Math.round(cpu) }))
  groups.push({ label: plural(count), bars })
}
if (values.save) {
  saveFigures('cold-start', {
    title: 'CPU time to the first response, beyond node:http',
    unit: `ms, less is better (Node ${version})`,
    command: 'npm run bench:cold-start -- --routes 1,100,1000 --save',
    groups,
  })
}

async function prepare(count: number): Promise<readonly Contestant[]> {
  const folder = join(root, `dist/bench/cold-start/${values.style}-${count}`)
  const programs = prepareStarts(folder, count, values.style as Style)
  const contestants: Contestant[] = []
  for (const [name, args] of Object.entries(programs)) {
    const cache = values['compile-cache'] ? join(caches, `${count}-${name}`) : undefined
    const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }
    if (cache !== undefined) await fillCache(args, node, sampleRequest, env)
    contestants.push(nodeContestant(name, args, node, env))
  }
  return contestants
}
