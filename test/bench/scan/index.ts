/** Scans generated applications of different sizes in cold processes: `npm run bench:scan -- [--runs 5]`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeApplication } from './application.ts'

interface Figures {
  /** Loading the compiler, reading and evaluating the application; ms of wall time. */
  readonly load: number
  readonly scan: number
  /** Of the whole process, ms. */
  readonly cpu: number
  /** The most that was resident, MB. */
  readonly memory: number
  readonly routes: number
  readonly problems: number
}

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })
const runs = Number(values.runs)
const program = fileURLToPath(new URL('./one.js', import.meta.url))

console.log(
  `Medians of ${runs} cold processes; ms, MB. The aim: 300 routes in 100 files in 5000 ms and 1024 MB.\n`,
)
console.log('| files | routes | load compiler | scan | CPU | memory |')
console.log('| ----: | -----: | ------------: | ---: | --: | -----: |')
for (const files of [1, 10, 100, 300]) {
  const folder = mkdtempSync(join(tmpdir(), 'framework-bench-scan-'))
  try {
    const entry = writeApplication(folder, files)
    const figures = Array.from({ length: runs }, () => measure(entry))
    const median = (name: keyof Figures): number =>
      Math.round(figures.map((one) => one[name]).sort((a, b) => a - b)[runs >> 1] as number)
    const cells = (['routes', 'load', 'scan', 'cpu', 'memory'] as const).map(median)
    console.log(`| ${[files, ...cells].join(' | ')} |`)
    if (median('problems') > 0) console.log(`${median('problems')} problems`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function measure(entry: string): Figures {
  return JSON.parse(
    execFileSync(process.execPath, [program, entry], { encoding: 'utf8' }),
  ) as Figures
}
