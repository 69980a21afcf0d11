/**
 * `npm run bench:bridge [-- --nodes 22,24 --runs 9 --routes 1,10,100,1000]`
 *
 * Measures what a fresh process on the real Fastify costs from its start to its first validated and serialized response, alone and
 * with the functions of an artifact. `remains` is the share of Fastify's own cost over the bare server that is left.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../../compiler/build.ts'
import type { FastifyLine } from '../../runtime/artifact/lines.ts'
import { nodeBinary } from '../nodes/install.ts'
import { fastifyLines, packages } from '../support/bridged.ts'
import { generateApplication, sampleRequest } from './application.ts'
import { plural, root } from './prepare.ts'
import { type Contestant, type Cost, nodeContestant, race, rounded } from './startup.ts'

/** The highest share that may remain, by the number of routes. */
const BUDGETS: Readonly<Record<number, number>> = { 1: 0.6, 100: 0.2, 1000: 0.1 }

const RAW = 'raw node:http'

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

/** The folders of built applications, by line and number of routes. */
const folders = new Map<string, string>()
for (const count of counts) {
  for (const line of fastifyLines) folders.set(`${line} ${count}`, await prepare(line, count))
}
for (const major of values.nodes.split(',')) {
  const node = nodeBinary(major)
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  console.log(`\nnode ${version}, ${runs} runs each, medians beyond ${RAW}\n`)
  for (const count of counts) {
    print(count, await race(contestantsOf(node, count), sampleRequest, runs))
  }
}

function contestantsOf(node: string, count: number): readonly Contestant[] {
  const folderOf = (line: FastifyLine): string => folders.get(`${line} ${count}`) as string
  return [
    nodeContestant(RAW, [join(folderOf('fastify@5'), 'raw.mjs')], node),
    ...fastifyLines.flatMap((line) => {
      const main = join(folderOf(line), 'fastify.mjs')
      // Without `strict`, Fastify would compile what the artifact lacks, and the figures would be wrong.
      const preload = `${join(folderOf(line), '.framework/fastify.mjs')}?strict`
      return [
        nodeContestant(line, [main], node),
        nodeContestant(bridged(line), ['--import', preload, main], node),
      ]
    }),
  ]
}

/** Builds an application. Returns its folder. */
async function prepare(line: FastifyLine, count: number): Promise<string> {
  const folder = join(root, `dist/bench/bridge/${packages[line]}-${count}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(join(root, 'node_modules', packages[line]), join(folder, 'node_modules/fastify'))
  generateApplication(folder, count, 'loop')
  const out = join(folder, '.framework')
  const { diagnostics } = await build({ entry: join(folder, 'fastify.app.mjs'), out })
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics, null, 2))
  return folder
}

function bridged(line: string): string {
  return `${line}, bridged`
}

/** The share of a Fastify's own cost over the bare server that is left with functions. */
function remains(medians: Medians, line: string): number {
  return (medians.get(bridged(line))?.cpu ?? 0) / (medians.get(line)?.cpu ?? 0)
}

function print(count: number, medians: Medians): void {
  console.log(plural(count))
  const table = [...medians].map(([name, cost]) => {
    const line = fastifyLines.find((one) => bridged(one) === name)
    const share = line && { remains: `${Math.round(100 * remains(medians, line))} %` }
    return [name, { ...rounded(cost), ...share }] as const
  })
  console.table(Object.fromEntries(table))
  const budget = BUDGETS[count]
  for (const line of fastifyLines) {
    if (budget !== undefined && remains(medians, line) > budget)
      console.log(`${line}: more than ${100 * budget} % remain`)
  }
}
