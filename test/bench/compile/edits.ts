import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BenchApplication, Run } from './builds.ts'
import { build, reportOf, run } from './builds.ts'
import { median } from '../median.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** What somebody edits in an application of 104 routes, some of whose schemas are written with TypeBox: a number. */
const edits: Readonly<Record<string, { readonly file: string; readonly number: RegExp }>> = {
  'a handler': { file: 'routes/staff.ts', number: /statusCode: \d+/ },
  'a literal schema': { file: 'routes/orders.ts', number: /maximum: \d+/ },
  'a schema by TypeBox': { file: 'schemas/customer.ts', number: /maxLength: \d+/ },
}

/** How long a build takes after each, in ms: the whole process, and in one that has built before, as under `framework dev`. */
export function measureEdits(runs: number): Record<string, Record<string, number>> {
  const folder = join(root, 'dist/bench/compile/bookshop')
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(root, 'fixtures/apps/bookshop'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const application = { entry: join(folder, 'app.ts'), out: join(folder, '.framework') }
  build(application)
  const table: Record<string, Record<string, number>> = {}
  for (const [title, { file, number }] of Object.entries(edits)) {
    const alone: Run[] = []
    for (let i = 0; i < runs; i++) {
      const path = join(folder, file)
      writeFileSync(path, readFileSync(path, 'utf8').replace(number, next))
      alone.push(build(application, '--json'))
    }
    const [last] = alone.slice(-1).map(reportOf)
    const kept = inOneProcess(application, join(folder, file), number, runs + 2).slice(2)
    table[title] = {
      'functions compiled': last?.summary.compiled ?? 0,
      'a process each': Math.round(median(alone.map(({ wall }) => wall))),
      cpu: Math.round(median(alone.map(({ cpu }) => cpu))),
      'in one process': Math.round(median(kept.map(({ wall }) => wall))),
      'cpu ': Math.round(median(kept.map(({ cpu }) => cpu))),
    }
  }
  return table
}

function next(found: string): string {
  return found.replace(/\d+/, (digits) => String(Number(digits) + 1))
}

function inOneProcess(
  application: BenchApplication,
  file: string,
  number: RegExp,
  rounds: number,
): Pick<Run, 'wall' | 'cpu'>[] {
  const index = pathToFileURL(join(root, 'dist/joined/index.js')).href
  const program = `
import { readFileSync, writeFileSync } from 'node:fs'
import { build } from ${JSON.stringify(index)}
const file = ${JSON.stringify(file)}
const session = {}
const runs = []
for (let i = 0; i < ${rounds}; i++) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(${String(number)}, ${String(next)}))
  const [start, used] = [performance.now(), process.cpuUsage()]
  const { artifact } = await build(${JSON.stringify(application)}, undefined, session)
  if (artifact === undefined || artifact.reuse.unchanged) throw new Error('not the build that was meant')
  const { user, system } = process.cpuUsage(used)
  runs.push({ wall: performance.now() - start, cpu: (user + system) / 1000 })
}
console.log(JSON.stringify(runs))
`
  const { stdout } = run('--input-type=module', '--eval', program)
  return JSON.parse(stdout) as Pick<Run, 'wall' | 'cpu'>[]
}
