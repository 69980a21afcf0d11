/**
 * `npm run bench:compile [-- --routes 10,34,100,1000,3000 --runs 3 --only builds --save]`
 *
 * Measures the size of validators and serializers and how many routes share them (`sizes`), how long builds take from scratch
 * and after a change (`builds`), and how long validators and serializers take to load (`loading`).
 */
import { parseArgs } from 'node:util'
import type { BenchApplication, BuildReport, GeneratedBench, Run } from './builds.ts'
import { build, editOneRoute, load, prepare, reportOf, startFastify } from './builds.ts'
import { type Figures, saveFigures } from '../figures.ts'
import { median } from '../median.ts'

const { values } = parseArgs({
  options: {
    routes: { type: 'string', default: '10,34,100,1000,3000' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string', default: 'sizes,builds,loading' },
    save: { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)
const parts = new Set(values.only.split(','))
const sizes: Record<string, object> = {}
const builds: Record<string, object> = {}
const ratios: Record<string, object> = {}
const loads: Record<string, object> = {}
const groups: Figures['groups'][number][] = []

console.log(`node ${process.version}, medians of ${runs} runs\n`)
for (const count of values.routes.split(',').map(Number)) {
  const application = prepare(count)
  const rows = `${count} routes`
  if (parts.has('sizes'))
    sizes[rows] = sizesOf(reportOf(build(application, '--no-cache', '--json')))
  if (parts.has('builds')) {
    ;[builds[rows], ratios[rows]] = measureBuilds(application, count)
  }
  if (parts.has('loading')) {
    if (!parts.has('builds')) build(application)
    loads[rows] = measureLoading(application)
  }
}
if (parts.has('sizes')) {
  console.log(
    'Functions: distinct ones, bytes of each as minified, and parts of routes for each of them',
  )
  console.table(sizes)
}
if (parts.has('builds')) {
  console.log(
    '`framework build`, the whole process: wall clock and CPU time, in ms, and the most memory that it had, in MB',
  )
  console.table(builds)
  console.log(
    'A start of the same application on Fastify 4.21, which compiles its schemas, in ms; the times of builds as multiples of it',
  )
  console.table(ratios)
}
if (values.save) {
  saveFigures('build-time', {
    title: 'A build, and one start of Fastify, which compiles the same schemas',
    unit: `ms, less is better (Node ${process.version})`,
    command: 'npm run bench:compile -- --routes 34,100,1000 --only builds --save',
    groups,
  })
}
if (parts.has('loading')) {
  console.log('Loading from the artifact: CPU time in ms')
  console.table(loads)
}
function measureBuilds(
  application: GeneratedBench,
  count: number,
): [times: object, ratios: object] {
  const scratch: Run[] = []
  const unchanged: Run[] = []
  const edited: Run[] = []
  const fastify: Run[] = []
  for (let run = 0; run < runs; run++) {
    scratch.push(build(application, '--no-cache'))
    fastify.push(startFastify(application))
    build(application)
    unchanged.push(expect(build(application), /: nothing has changed$/m))
    editOneRoute(application)
    edited.push(expect(build(application), /\(1 compiled, \d+ reused\)$/m))
  }
  groups.push({
    label: `${count} routes`,
    bars: [
      { name: 'fastify 4.21', value: round(wall(fastify)) },
      { name: 'framework', value: round(wall(scratch)) },
      { name: 'framework, again', value: round(wall(unchanged)) },
    ],
  })
  const ratio = (of: readonly Run[]): number => Math.round((100 * wall(of)) / wall(fastify)) / 100
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
    },
  ]
}

function measureLoading(application: BenchApplication): Record<string, number> {
  const loading: Record<'none' | 'one' | 'all', Run[]> = { none: [], one: [], all: [] }
  for (let run = 0; run < runs; run++) {
    for (const which of ['none', 'one', 'all'] as const)
      loading[which].push(load(application, which))
  }
  return {
    'one function': round((cpu(loading.one) - cpu(loading.none)) * 10) / 10,
    'all functions': round(cpu(loading.all) - cpu(loading.none)),
  }
}

function sizesOf({ manifest, summary }: BuildReport): object {
  const functions = Object.values(manifest.functions)
  const ofKind = (kind: string): number[] =>
    functions.flatMap((one) => (one.kind === kind ? one.bytes : []))
  const parts = { validator: 0, serializer: 0 }
  for (const route of manifest.routes) {
    parts.validator += Object.keys(route.validators).length
    parts.serializer += Object.keys(route.serializers).length
  }
  const [validators, serializers] = [ofKind('validator'), ofKind('serializer')]
  return {
    validators: validators.length,
    'parts for each': round((10 * parts.validator) / validators.length) / 10,
    bytes: round(sum(validators) / validators.length),
    serializers: serializers.length,
    'responses for each': round((10 * parts.serializer) / serializers.length) / 10,
    'bytes ': round(sum(serializers) / serializers.length),
    'kB of all': round(summary.bytes / 1024),
  }
}

/** A benchmark of something else than it says is worth nothing. */
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function round(value: number): number {
  return Math.round(value)
}
