import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commandFile } from '../../support/command-file.ts'
import { generateApplication } from '../application.ts'
import { root } from '../prepare.ts'

/** A program run in a process of its own. */
export interface Run {
  /** From spawn to exit, in ms. */
  readonly wall: number
  /** User and system time of the process without its children, in ms. */
  readonly cpu: number
  /** The most that it had, without its children, in MB. */
  readonly memory: number
  readonly stdout: string
}

export interface GeneratedBench {
  readonly entry: string
  readonly out: string
  /** The same application on Fastify, a module with `build`. */
  readonly onFastify: string
}

/** Each route written out, so that one of them can be changed. */
export function prepare(count: number): GeneratedBench {
  const folder = join(root, `dist/bench/compile/${count}`)
  const { entry } = generateApplication(folder, count, 'literal')
  // A project of its own: how it is started is looked for in all of its sources.
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  return { entry, onFastify: join(folder, 'fastify.app.mjs'), out: join(folder, '.framework') }
}

export function build({ entry, out }: GeneratedBench, ...flags: string[]): Run {
  return run(commandFile, 'build', entry, '--out', out, ...flags)
}

/** Fastify compiles the same schemas whenever the application starts: what a build competes with. */
export function startFastify({ onFastify }: GeneratedBench): Run {
  const program = `
import { build } from ${JSON.stringify(pathToFileURL(onFastify).href)}
await build().ready()
`
  return run('--input-type=module', '--eval', program)
}

let edits = 0

/** Changes the body schema of one route. */
export function editOneRoute({ entry }: GeneratedBench): void {
  const text = readFileSync(entry, 'utf8')
  writeFileSync(entry, text.replace(/maxItems: \d+/, `maxItems: ${10 + ++edits}`))
}

function run(...args: string[]): Run {
  const report = `process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('\\nUSED '+(user+system)/1000+' '+process.resourceUsage().maxRSS/1024)})`
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(report)}`]
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    cwd: root,
  })
  const wall = performance.now() - start
  if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`)
  const [, cpu, memory] = /USED ([\d.]+) ([\d.]+)$/.exec(stderr) ?? []
  return { wall, cpu: Number(cpu), memory: Number(memory), stdout }
}
