/**
 * `npm test [-- word ...]`: runs the test files whose path contains one of the words, each in a process of its own. (Node 20's
 * `--test <folder>` would run every file of the folder, helpers included.)
 *
 * Files named `*.long.test.ts` need minutes, network access or programs that not every machine has. They run with `TESTS=all`,
 * which `npm run test:all` sets; see `runsAll` in `support/runs.ts`.
 *
 * `npm test -- --times [word ...]` runs one file after the other and prints the CPU time of each, child processes included (Linux).
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runsAll } from './support/runs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values, positionals: words } = parseArgs({
  options: { times: { type: 'boolean', default: false } },
  allowPositionals: true,
})

/** The files that take longest, longest first: they start first, so that no core is idle at the end. `--times` shows them. */
const slowest: readonly string[] = [
  'cli/deploy',
  'parity/parity',
  'faults/faults',
  'cli/deploy-schemas',
  'compiler/1-scan/scan',
  'cli/incremental',
  'cli/artifact',
  'parity/projects',
  'cli/deploy-functions',
  'runtime/bridge/bridge',
  'cli/openapi/openapi',
  'cli/deploy-folders',
  'cli/deploy-analyze',
  'cli/dev',
  'compiler/report/diagnostics',
]

// From the sources, so that outdated files in `dist` don't run.
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && (runsAll || !file.endsWith('.long.test.ts')))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
  .map((file) => join(root, 'dist/test', file.replace(/\.ts$/, '.js')))

if (files.length === 0) {
  console.error(`No test file matches ${words.join(' ')}. Long tests run with TESTS=all.`)
  process.exitCode = 1
} else if (values.times) {
  printTimes()
} else {
  // Many tests wait for timers and for programs that start: one file more than cores keeps the cores busy.
  const stream = run({ files, concurrency: availableParallelism() + 1 })
  stream.on('test:fail', () => (process.exitCode = 1))
  stream.compose(new spec()).pipe(process.stdout)
}

function placeOf(file: string): number {
  const place = slowest.indexOf(file.replace(/\.test\.ts$/, ''))
  return place === -1 ? slowest.length : place
}

function printTimes(): void {
  const table = files.map((file) => {
    const before = secondsOfChildren()
    const { status } = spawnSync(process.execPath, ['--enable-source-maps', file])
    if (status !== 0) process.exitCode = 1
    const seconds = Math.round(10 * (secondsOfChildren() - before)) / 10
    return { file: file.slice(root.length), seconds, passed: status === 0 }
  })
  console.table(table.sort((a, b) => b.seconds - a.seconds))
  console.log(`${Math.round(secondsOfChildren())} s of CPU time in total`)
}

/** User and system time of the child processes that have ended, and of theirs. */
function secondsOfChildren(): number {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(13, 15)
  return (Number(user) + Number(system)) / 100
}
