/**
 * `npm run bench:bridge [-- --runs 9 --routes 1,10,100,1000 --node <path>]`
 *
 * What a fresh process on the real Fastify costs from its start to its first validated and serialized response, alone and
 * with the functions of an artifact. Contestants take turns, medians are compared. `remains` is the share of Fastify's
 * own cost over the bare server that is left.
 */
import { fork, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from '../../../compiler/build.ts'
import type { FastifyLine } from '../../../runtime/artifact/lines.ts'
import { fastifyLines, packages } from '../../support/bridged.ts'
import { generateApplication } from '../cold-start/application.ts'
import { measure, medianOf, type Contestant, type Cost } from '../cold-start/measure.ts'
import { plainEnv } from '../cold-start/request.ts'

const dist = fileURLToPath(new URL('../../..', import.meta.url))
const modules = fileURLToPath(new URL('../../../../node_modules/', import.meta.url))
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '9' },
    routes: { type: 'string', default: '1,10,100,1000' },
    node: { type: 'string', default: process.execPath },
  },
})
const runs = Number(values.runs)

const version = spawnSync(values.node, ['--version'], { encoding: 'utf8' }).stdout.trim()
console.log(`node ${version}, ${runs} runs each, medians; cpu in ms, rss in MB\n`)
for (const count of values.routes.split(',').map(Number)) {
  const contestants: Contestant[] = [
    { name: 'raw node:http', main: join(folderOf('fastify@5', count), 'raw.mjs'), nodeFlags: [] },
  ]
  for (const line of fastifyLines) contestants.push(...(await prepare(line, count)))
  const costs = new Map<string, Cost[]>(contestants.map(({ name }) => [name, []]))
  for (let run = 0; run < runs; run++) {
    for (const contestant of contestants) {
      costs.get(contestant.name)?.push(await measure(contestant.main, () => start(contestant)))
    }
  }
  print(count, costs)
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
  // What the artifact lacks would be compiled, and the figures would be of something else.
  const preload = `${join(out, 'fastify.mjs')}?strict`
  return [
    { name: line, main, nodeFlags: [] },
    { name: `${line}, bridged`, main, nodeFlags: ['--import', preload] },
  ]
}

function start({ main, nodeFlags }: Contestant) {
  return fork(main, { execPath: values.node, execArgv: [...nodeFlags], env: plainEnv })
}

function print(count: number, costs: ReadonlyMap<string, readonly Cost[]>): void {
  const medians = new Map([...costs].map(([name, all]) => [name, medianOf(all)]))
  const raw = medians.get('raw node:http')?.cpu ?? 0
  console.log(`${count} route${count === 1 ? '' : 's'}`)
  console.table(
    Object.fromEntries(
      [...medians].map(([name, { cpu, rss }]) => {
        const alone = medians.get(name.replace(', bridged', ''))?.cpu ?? cpu
        const share = Math.round((100 * (cpu - raw)) / (alone - raw))
        const remains = name === 'raw node:http' ? '' : `${share} %`
        return [name, { cpu: Math.round(cpu), remains, rss: Math.round(rss) }]
      }),
    ),
  )
}
