/**
 * Runs the test files of Fastify 4.21.0 against the built package, which compiles schemas in process as in
 * development.
 *
 *     npm run conformance                    compares with the committed table, which may only rise
 *     npm run conformance -- --no-codegen    the same with code generation denied
 *     npm run conformance -- --update        writes what passes into the table; with --no-codegen what does not
 *     npm run conformance -- --measure       measures Fastify itself anew: what there is to pass
 *
 * `--files a,b` takes only files whose path contains one of the words; `--jobs 2` runs so many at once.
 */
import { parseArgs } from 'node:util'
import { compareNeeds, compareWithKnown, compareWithTable } from './check.ts'
import { compilerReason } from './known-differences.ts'
import { measurePeer, type PeerFile, readPeer } from './peer.ts'
import { printAreas, printFailures } from './report.ts'
import { framework } from './run.ts'
import { installSuite } from './suite.ts'
import { readTable, toRow, updateTable } from './table.ts'
import { judgeFiles } from './verdict.ts'

const { values } = parseArgs({
  options: {
    'no-codegen': { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    measure: { type: 'boolean', default: false },
    files: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
  },
})
const options = { target: framework, jobs: Number(values.jobs) }

installSuite()
if (values.measure) {
  await measurePeer(options)
} else {
  const peer = selectFiles()
  const complaints = values['no-codegen'] ? await runWithoutCodegen(peer) : await runAsUsual(peer)
  complaints.forEach((complaint) => console.error(complaint))
  process.exitCode = complaints.length === 0 ? 0 : 1
}

function selectFiles(): Map<string, PeerFile> {
  const words = values.files.split(',')
  return new Map([...readPeer()].filter(([file]) => words.some((word) => file.includes(word))))
}

async function runAsUsual(peer: ReadonlyMap<string, PeerFile>): Promise<string[]> {
  const verdicts = await judgeFiles(peer, options)
  printAreas(verdicts)
  printFailures(verdicts)
  if (values.update) {
    updateTable(Object.fromEntries(verdicts.map((verdict) => [verdict.file, toRow(verdict)])))
  }
  return [...compareWithKnown(verdicts), ...compareWithTable(verdicts, readTable())]
}

/**
 * First nobody may generate code. The files that lose blocks to this run again with the development compiler
 * permitted to: what passes then needs the compiler, and what does not is a fault of the runtime.
 */
async function runWithoutCodegen(peer: ReadonlyMap<string, PeerFile>): Promise<string[]> {
  const denied = await judgeFiles(peer, { ...options, withoutCodegen: 'everything' })
  console.log('Nothing may generate code')
  printAreas(denied)

  const losing = denied.filter(({ portable }) => portable.failed.length > 0).map(({ file }) => file)
  const permitted = await judgeFiles(new Map([...peer].filter(([file]) => losing.includes(file))), {
    ...options,
    withoutCodegen: 'runtime',
  })
  console.log('\nThe files that lost blocks, when the development compiler alone may')
  printAreas(permitted)

  const needs = Object.fromEntries(
    denied.map(({ file, portable }) => {
      const passed = permitted.find((verdict) => verdict.file === file)?.portable.passed ?? []
      return [file, passed.filter((title) => !portable.passed.includes(title))]
    }),
  )
  console.log(
    `\n${Object.values(needs).flat().length} portable blocks need the development compiler.`,
  )
  console.log(compilerReason)
  if (values.update) {
    updateTable(
      Object.fromEntries(
        Object.entries(needs).map(([file, needCompiler]) => [file, { needCompiler }]),
      ),
    )
  }
  return [...compareWithKnown(permitted), ...compareNeeds(needs, readTable())]
}
