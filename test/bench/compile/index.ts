/**
 * `npm run bench:compile [-- --routes 34,100,1000,3000 --runs 3 --save]`
 *
 * Measures how long builds take from scratch and after a change, and one start of the same application on Fastify 4.21, which compiles
 * the same schemas.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Figures, saveFigures, median } from '../figures.ts'
import { commandFile } from '../../support/command-file.ts'
import { generateApplication } from '../application.ts'
import { root } from '../../support/root.ts'

/** A program run in a process of its own. */
interface Run {
  /** From spawn to exit, in ms. */
  readonly wall: number
  /** User and system time of the process without its children, in ms. */
  readonly cpu: number
  /** Peak memory without its children, in MB. */
  readonly memory: number
  readonly stdout: string
}

interface GeneratedBench {
  readonly entry: string
  readonly out: string
  /** The same application on Fastify, a module with `build`. */
  readonly onFastify: string
}

/** Writes an application whose routes have literal schemas, so that one of them can be edited. */
function prepare(count: number): GeneratedBench {
  const folder = join(root, `dist/bench/compile/${count}`)
  const { entry } = generateApplication(folder, count, 'literal')
  // A package of its own: builds search all sources of a package for what starts the application.
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  return { entry, onFastify: join(folder, 'fastify.app.mjs'), out: join(folder, '.framework') }
}

function build({ entry, out }: GeneratedBench, ...flags: string[]): Run {
  return run(commandFile, 'build', entry, '--out', out, ...flags)
}

/** Starts the same application on Fastify, which compiles the schemas at startup. */
function startFastify({ onFastify }: GeneratedBench): Run {
  const program = `
import { build } from ${JSON.stringify(pathToFileURL(onFastify).href)}
await build().ready()
`
  return run('--input-type=module', '--eval', program)
}

let edits = 0

/** Changes the body schema of one route. */
function editOneRoute({ entry }: GeneratedBench): void {
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

const { values } = parseArgs({
  options: {
    routes: { type: 'string', default: '34,100,1000,3000' },
    runs: { type: 'string', default: '3' },
    save: { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)
const builds: Record<string, object> = {}
const ratios: Record<string, object> = {}
const groups: Figures['groups'][number][] = []

console.log(`node ${process.version}, medians of ${runs} runs\n`)
for (const count of values.routes.split(',').map(Number)) {
  const rows = `${count} routes`
  ;[builds[rows], ratios[rows]] = measureBuilds(prepare(count), count)
}
console.log(
  '`framework build`, the whole process: wall clock and CPU time, in ms, and peak memory, in MB',
)
console.table(builds)
console.log(
  'A start of the same application on Fastify 4.21, in ms; the times of builds as multiples of it',
)
console.table(ratios)
if (values.save) {
  saveFigures('build-time', {
    title: 'CPU time of a build, and of one start of Fastify',
    unit: `ms, less is better (Node ${process.version})`,
    command: 'npm run bench:compile -- --routes 34,100,1000 --save',
    groups,
  })
}

function measureBuilds(
  application: GeneratedBench,
  count: number,
): [times: object, ratios: object] {
  const scratch: Run[] = []
  const withoutBoot: Run[] = []
  const unchanged: Run[] = []
  const edited: Run[] = []
  const fastify: Run[] = []
  for (let i = 0; i < runs; i++) {
    scratch.push(build(application, '--no-cache'))
    withoutBoot.push(build(application, '--no-cache', '--no-boot'))
    fastify.push(startFastify(application))
    build(application)
    unchanged.push(expect(build(application), /: nothing has changed$/m))
    editOneRoute(application)
    edited.push(expect(build(application), /\(1 compiled, \d+ reused\)$/m))
  }
  groups.push({
    label: `${count} routes`,
    bars: [
      { name: 'fastify 4.21', value: round(cpu(fastify)) },
      { name: 'framework', value: round(cpu(scratch)) },
      { name: 'framework, again', value: round(cpu(unchanged)) },
    ],
  })
  const ratio = (of: readonly Run[], to = fastify): number =>
    Math.round((100 * wall(of)) / wall(to)) / 100
  return [
    {
      ...times('from scratch', scratch),
      MB: round(median(scratch.map(({ memory }) => memory))),
      'ms per route': round((wall(scratch) / count) * 10) / 10,
      ...times('one route changed', edited),
      ...times('nothing changed', unchanged),
    },
    {
      ...times('Fastify', fastify),
      'from scratch': ratio(scratch),
      'one route changed': ratio(edited),
      'nothing changed': ratio(unchanged),
      'from scratch, of a build without the boot': ratio(scratch, withoutBoot),
    },
  ]
}

/** Fails if the build did something else than what is measured. */
function expect(run: Run, said: RegExp): Run {
  if (!said.test(run.stdout)) throw new Error(`Not the build that was meant:\n${run.stdout}`)
  return run
}

function times(title: string, of: readonly Run[]): Record<string, number> {
  return { [title]: round(wall(of)), [`cpu, ${title}`]: round(cpu(of)) }
}

function wall(of: readonly Run[]): number {
  return median(of.map((run) => run.wall))
}

function cpu(of: readonly Run[]): number {
  return median(of.map((run) => run.cpu))
}

function round(value: number): number {
  return Math.round(value)
}
