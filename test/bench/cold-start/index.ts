/**
 * `npm run bench:cold-start [-- --runs 11 --routes 1,10,100,1000 --style loop|literal --node <path> --compile-cache]`
 *
 * What a fresh process costs from its start to its first validated and serialized response. Contestants take
 * turns, medians are compared: the machine's speed drifts, ratios hold.
 *
 * `--node` is another Node.js that all contestants run on. `--compile-cache` lets it keep what it compiled, for all
 * contestants, as NODE_COMPILE_CACHE does since Node 22.1.
 */
import type { ChildProcess } from 'node:child_process'
import { fork, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Style } from './application.ts'
import { generateApplication, sampleRequest, steps } from './application.ts'
import { measure, medianOf, type Contestant, type Cost } from './measure.ts'
import { plainEnv, send } from './request.ts'
import { commandFile } from '../../support/command-file.ts'

const dist = fileURLToPath(new URL('../../..', import.meta.url))
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '11' },
    routes: { type: 'string', default: '1,10,100,1000' },
    style: { type: 'string', default: 'loop' },
    node: { type: 'string', default: process.execPath },
    'compile-cache': { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)

/** What was compiled is written when a process ends by itself. */
const endAtDisconnect = 'data:text/javascript,process.on("disconnect", () => process.exit())'

const caches = mkdtempSync(join(tmpdir(), 'compile-cache-'))
process.on('exit', () => rmSync(caches, { recursive: true }))

const version = spawnSync(values.node, ['--version'], { encoding: 'utf8' }).stdout.trim()
const setting = values['compile-cache'] ? `${version} with a compile cache` : version
console.log(`node ${setting}, ${runs} runs each, medians; cpu and wall in ms, rss in MB\n`)
for (const count of values.routes.split(',').map(Number)) {
  const contestants = prepare(count)
  const costs = new Map<string, Cost[]>(contestants.map(({ name }) => [name, []]))
  if (values['compile-cache']) for (const contestant of contestants) await fillCache(contestant)
  for (let run = 0; run < runs; run++) {
    for (const contestant of contestants)
      costs.get(contestant.name)?.push(await measure(contestant.main, () => start(contestant)))
  }
  print(count, contestants, costs)
}

function prepare(count: number): readonly Contestant[] {
  const folder = join(dist, `bench/cold-start/${values.style}-${count}`)
  const out = join(folder, '.framework')
  const { entry } = generateApplication(folder, count, values.style as Style)
  const build = spawnSync(process.execPath, [commandFile, 'build', entry, '--out', out], {
    encoding: 'utf8',
  })
  if (build.status !== 0) throw new Error(`framework build failed:\n${build.stdout}${build.stderr}`)
  // Not with code generation refused: any flag of V8 makes Node itself start 10 ms slower, with or without us.
  const nodeFlags = ['--import', join(out, 'register.js')]
  const main = join(folder, 'framework.mjs')
  const alone = join(folder, 'alone.mjs')
  return [
    { name: 'raw node:http', main: join(folder, 'raw.mjs'), nodeFlags: [] },
    { name: 'the application alone', main: alone, nodeFlags: [] },
    {
      name: 'the application alone, its schemas as JSON',
      main: alone,
      nodeFlags: [],
      env: { SCHEMAS_AS_JSON: '1' },
    },
    { name: 'fastify 4.21', main: join(folder, 'fastify.mjs'), nodeFlags: [] },
    { name: 'framework', main, nodeFlags },
    {
      name: 'framework, check at first request',
      main,
      nodeFlags,
      env: { FRAMEWORK_CHECK: 'first-request' },
    },
  ]
}

function fillCache(contestant: Contestant): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = start({
      ...contestant,
      nodeFlags: [...contestant.nodeFlags, '--import', endAtDisconnect],
    })
    child.on('error', reject)
    child.on('exit', () => resolve())
    child.on('message', (message: { port?: number }) => {
      if (message.port === undefined) child.disconnect()
      else send(message.port, sampleRequest).catch(reject)
    })
  })
}

function start({ name, main, nodeFlags, env }: Contestant): ChildProcess {
  const cache = values['compile-cache'] && { NODE_COMPILE_CACHE: join(caches, name) }
  return fork(main, {
    execPath: values.node,
    execArgv: [...nodeFlags],
    env: { ...plainEnv, ...env, ...cache },
  })
}

function print(
  count: number,
  contestants: readonly Contestant[],
  costs: ReadonlyMap<string, readonly Cost[]>,
): void {
  const medians = contestants.map(({ name }) => ({ name, ...medianOf(costs.get(name) ?? []) }))
  const [raw] = medians
  const fastify = medians.find(({ name }) => name.startsWith('fastify'))
  if (!raw || !fastify) return
  console.log(`${count} route${count === 1 ? '' : 's'}`)
  console.table(
    Object.fromEntries(
      medians.map(({ name, cpu, wall, rss }) => [
        name,
        {
          cpu: round(cpu),
          'cpu over raw': round(cpu - raw.cpu),
          'cpu of fastify': `${round((100 * cpu) / fastify.cpu)} %`,
          wall: round(wall),
          rss: round(rss),
          'rss over raw': round(rss - raw.rss),
        },
      ]),
    ),
  )
  console.log('Where the CPU time goes, step by step:')
  console.table(
    Object.fromEntries(
      medians
        .filter(({ name }) => !name.startsWith('fastify'))
        .map(({ name, marks }) => [
          name,
          Object.fromEntries(steps.map((step, i) => [step, round(marks[i] as number)])),
        ]),
    ),
  )
}

function round(value: number): number {
  return Math.round(value)
}
