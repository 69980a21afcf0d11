/**
 * Runs find-my-way's own test files against our router, in processes that refuse code generation.
 *
 *   node dist/test/runtime/router/conformance.js            compares with the committed table
 *   node dist/test/runtime/router/conformance.js --update   measures find-my-way as well, writes the table
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { installSuite, listTestFiles, runTestFile } from './conformance/suite.ts'

/** Test files that never load the router, with the reason. */
const notAboutTheRouter: Readonly<Record<string, string>> = {
  'host-storage.test.js': "tests find-my-way's private lib/strategies/accept-host.js",
}

/** Share of the assertions that has to pass, in per cent. */
const required = 99

/** Assertions of one file that pass with our router, and that pass with find-my-way. */
type Row = readonly [ours: number, peer: number]

const tableFile = new URL('../../../../test/runtime/router/conformance.json', import.meta.url)

async function main(isUpdate: boolean): Promise<number> {
  installSuite()
  const before = isUpdate ? {} : readTable()
  const after: Record<string, Row> = {}
  const complaints: string[] = []
  for (const file of listTestFiles().filter((each) => !(each in notAboutTheRouter))) {
    const score = await runTestFile(file, 'ours')
    const peer = before[file]?.[1] ?? (await runTestFile(file, 'peer')).passed
    after[file] = [score.passed, peer]
    const atLeast = before[file]?.[0] ?? 0
    if (score.passed < atLeast) {
      complaints.push(`${file}: ${score.passed} assertions pass, the table says ${atLeast}`)
    }
    print(file, [score.passed, peer])
    score.failedBlocks.forEach((block) => console.log(`    not ok: ${block}`))
  }
  const missing = Object.keys(before).filter((file) => after[file] === undefined)
  complaints.push(...missing.map((file) => `${file}: in the table, but no longer there`))
  for (const [file, reason] of Object.entries(notAboutTheRouter)) {
    console.log(`${file.padEnd(44)} left out: ${reason}`)
  }

  const total = sum(Object.values(after))
  print('all files', total)
  if ((100 * total[0]) / total[1] < required) {
    complaints.push(`less than ${required} % pass`)
  }
  if (isUpdate) {
    writeFileSync(tableFile, JSON.stringify(after, null, 2) + '\n')
  }
  complaints.forEach((complaint) => console.error(complaint))
  return complaints.length === 0 ? 0 : 1
}

function readTable(): Record<string, Row> {
  return JSON.parse(readFileSync(tableFile, 'utf8')) as Record<string, Row>
}

function print(name: string, [ours, peer]: Row): void {
  const share = ((100 * ours) / peer).toFixed(1)
  console.log(`${name.padEnd(44)} ${`${ours}/${peer}`.padStart(9)} ${share.padStart(6)} %`)
}

function sum(rows: readonly Row[]): Row {
  return rows.reduce(([ours, peer], row) => [ours + row[0], peer + row[1]], [0, 0])
}

process.exitCode = await main(process.argv.includes('--update'))
