/**
 * `npm run bench:bridge [-- --nodes 22,24 --runs 9 --routes 1,10,100,1000]`
 *
 * Measures what a fresh process on the real Fastify costs from its start to its first validated and serialized response, alone and
 * with the functions of an artifact. `remains` is the share of Fastify's
 * own cost over the bare server that is left. At the end the rows of the table in docs/guide/staying-on-fastify.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from '../../compiler/build.ts'
import type { FastifyLine } from '../../runtime/artifact/lines.ts'
import { nodeBinary } from '../nodes/install.ts'
import { fastifyLines, packages } from '../support/bridged.ts'
import { generateApplication, sampleRequest } from './application.ts'
import { type Contestant, type Cost, race } from './startup.ts'

/** The highest share that may remain, by the number of routes. */
const BUDGETS: Readonly<Record<number, number>> = { 1: 0.6, 100: 0.2, 1000: 0.1 }

const RAW = 'raw node:http'

const dist = fileURLToPath(new URL('../..', import.meta.url))
const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '9' },
    routes: { type: 'string', default: '1,10,100,1000' },
    nodes: { type: 'string', default: '22,24' },
  },
})
const runs = Number(values.runs)
const counts = values.routes.split(',').map(Number)

type Medians = ReadonlyMap<string, Cost>

const contestants = new Map<number, readonly Contestant[]>()
for (const count of counts) contestants.set(count, await prepareAll(count))
for (const major of values.nodes.split(',')) await compareOn(nodeBinary(major))

async function compareOn(node: string): Promise<void> {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  console.log(
    `\nnode ${version}, ${runs} runs each, medians; cpu in ms, rss in MB, beyond ${RAW}\n`,
  )
  const all = new Map<number, Medians>()
  for (const count of counts) {
    const medians = await race(node, contestants.get(count) ?? [], sampleRequest, runs)
    all.set(count, medians)
    print(count, medians)
  }
  console.log([...all].map(([count, medians]) => rowOf(count, medians)).join('\n'))
}

async function prepareAll(count: number): Promise<readonly Contestant[]> {
  const all: Contestant[] = [{ name: RAW, args: [join(folderOf('fastify@5', count), 'raw.mjs')] }]
  for (const line of fastifyLines) all.push(...(await prepare(line, count)))
  return all
}

function folderOf(line: FastifyLine, count: number): string {
  return join(dist, `bench/bridge/${packages[line]}-${count}`)
}

async function prepare(line: FastifyLine, count: number): Promise<Contestant[]> {
  const folder = folderOf(line, count)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(join(modules, packages[line]), join(folder, 'node_modules/fastify'))
  generateApplication(folder, count, 'loop')
  const out = join(folder, '.framework')
  const { diagnostics } = await build({ entry: join(folder, 'fastify.app.mjs'), out })
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics, null, 2))
  const main = join(folder, 'fastify.mjs')
  // Without `strict`, Fastify would compile what the artifact lacks, and the figures would be wrong.
  const preload = `${join(out, 'fastify.mjs')}?strict`
  return [
    { name: line, args: [main] },
    { name: bridged(line), args: ['--import', preload, main] },
  ]
}

function bridged(line: string): string {
  return `${line}, bridged`
}

/** The share of a Fastify's own cost over the bare server that is left with functions. */
function remains(medians: Medians, line: string): number {
  return (medians.get(bridged(line))?.cpu ?? 0) / (medians.get(line)?.cpu ?? 0)
}

function print(count: number, medians: Medians): void {
  console.log(`${count} route${count === 1 ? '' : 's'}`)
  const table = [...medians].map(([name, { cpu, rss }]) => {
    const line = fastifyLines.find((one) => bridged(one) === name)
    const share = line && Math.round(100 * remains(medians, line))
    const figures = { cpu: Math.round(cpu), rss: Math.round(rss) }
    return [name, line === undefined ? figures : { ...figures, remains: `${share} %` }] as const
  })
  console.table(Object.fromEntries(table))
  const budget = BUDGETS[count]
  for (const line of fastifyLines) {
    if (budget !== undefined && remains(medians, line) > budget)
      console.log(`${line}: more than ${100 * budget} % remain`)
  }
}

/** As in docs/guide/staying-on-fastify.md. */
function rowOf(count: number, medians: Medians): string {
  const cells = fastifyLines.flatMap((line) => {
    const [alone, left] = [line, bridged(line)].map((name) =>
      Math.round(medians.get(name)?.cpu ?? 0),
    )
    return [alone, `${left} (${Math.round(100 * remains(medians, line))} %)`]
  })
  return `| ${[count, ...cells].join(' | ')} |`
}
