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
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nodeBinary } from '../nodes/install.ts'
import { commandFile } from '../support/command-file.ts'
import { generateApplication, sampleRequest, type Style } from './application.ts'
import { type Figures, saveFigures } from './figures.ts'
import { type Contestant, fillCache, race } from './startup.ts'

const dist = fileURLToPath(new URL('../..', import.meta.url))
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
  const contestants = prepare(count)
  if (values['compile-cache'])
    for (const one of contestants) await fillCache(node, one, sampleRequest)
  const costs = await race(node, contestants, sampleRequest, Number(values.runs))
  console.log(`${count} route${count === 1 ? '' : 's'}; beyond node:http, what the others add`)
  const rows = [...costs].map(([name, { cpu, rss }]) => [
    name,
    { CPU: Math.round(cpu), memory: Math.round(rss) },
  ])
  console.table(Object.fromEntries(rows))
  const bars = [...costs].slice(1).map(([name, { cpu }]) => ({ name, value: Math.round(cpu) }))
  groups.push({ label: `${count} route${count === 1 ? '' : 's'}`, bars })
}
if (values.save) {
  saveFigures('cold-start', {
    title: 'CPU time to the first response, beyond node:http',
    unit: `ms, less is better (Node ${version})`,
    command: 'npm run bench:cold-start -- --routes 1,100,1000 --save',
    groups,
  })
}

function prepare(count: number): readonly Contestant[] {
  const folder = join(dist, `bench/cold-start/${values.style}-${count}`)
  const out = join(folder, '.framework')
  const { entry } = generateApplication(folder, count, values.style as Style)
  const build = spawnSync(process.execPath, [commandFile, 'build', entry, '--out', out], {
    encoding: 'utf8',
  })
  if (build.status !== 0) throw new Error(`framework build failed:\n${build.stdout}${build.stderr}`)
  // Not with code generation refused: V8's flags make Node itself start more slowly.
  const all: readonly Contestant[] = [
    { name: 'node:http', args: [join(folder, 'raw.mjs')] },
    { name: 'fastify 4.21', args: [join(folder, 'fastify.mjs')] },
    { name: 'fastify 5.12', args: [join(folder, 'fastify-5.mjs')] },
    {
      name: 'framework',
      args: ['--import', join(out, 'register.js'), join(folder, 'framework.mjs')],
    },
  ]
  if (!values['compile-cache']) return all
  return all.map((one) => ({
    ...one,
    env: { NODE_COMPILE_CACHE: join(caches, `${count}-${one.name}`) },
  }))
}
