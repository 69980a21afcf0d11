/**
 * Runs the test files that plugins for Fastify bring along in their packages: against Fastify 4.21.0 itself, and
 * against the built package, which compiles schemas in process as in development. What passes on Fastify must pass.
 *
 *     npm run conformance:plugins
 *
 * `--files a,b` takes only files whose path contains one of the words; `--jobs 2` runs so many at once.
 */
import { parseArgs } from 'node:util'
import { framework } from '../run.ts'
import { complaintsOf, type Comparison } from './compare.ts'
import { type FileRun, runFiles } from './run.ts'
import { installPlugins, listTestFiles, plugins } from './suite.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
  },
})
const words = values.files.split(',')
const jobs = Number(values.jobs)

installPlugins()
const files = listTestFiles().filter((file) => words.some((word) => file.includes(word)))
const onFastify = await runFiles(files, { jobs })
const onFramework = await runFiles(files, { jobs, target: framework })
// On a busy machine a block that waits for time may need a second attempt.
const losing = compare(onFramework).flatMap(({ file, lost }) => (lost.length > 0 ? [file] : []))
const again = await runFiles(losing, { jobs: 1, target: framework, blockMs: 10_000 })
const comparisons = compare(onFramework, again)

for (const plugin of plugins) {
  const own = comparisons.filter(({ file }) => file.startsWith(`${plugin}/`))
  const lost = own.flatMap((comparison) => comparison.lost).length
  const all = own.reduce((total, { count }) => total + count, 0)
  if (all > 0) console.log(`${plugin.padEnd(18)}${`${all - lost}/${all}`.padStart(10)}`)
}
const complaints = complaintsOf(comparisons)
complaints.forEach((complaint) => console.error(complaint))
process.exitCode = complaints.length === 0 ? 0 : 1

/** A block counts as passed if it passes in one of the runs. */
function compare(...runs: readonly ReadonlyMap<string, FileRun>[]): Comparison[] {
  return files.map((file) => {
    const wanted = passedIn(onFastify, file)
    const passed = new Set(runs.flatMap((run) => [...passedIn(run, file)]))
    return { file, count: wanted.size, lost: [...wanted].filter((title) => !passed.has(title)) }
  })
}

function passedIn(run: ReadonlyMap<string, FileRun>, file: string): Set<string> {
  return new Set(run.get(file)?.flatMap(({ title, ok }) => (ok ? [title] : [])))
}
