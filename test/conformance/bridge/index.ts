/**
 * `npm run conformance:bridge`: the test files of Fastify 4.29 that are about schemas, with the functions that are compiled for
 * it and without. `-- --line 5` runs those of Fastify 5. The options of `compareSuite` work as well.
 */
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chosenLine, compareSuite } from '../compare.ts'
import { installSuite } from '../suite.ts'

const ABOUT_SCHEMAS = /schema|serializ|validat|ajv/i

const line = chosenLine()
const { suiteDir, files } = installSuite(line === '4' ? '4.29' : line)
const preload = fileURLToPath(new URL('preload.js', import.meta.url))
const counts = join(tmpdir(), `framework-counts-${process.pid}`)
process.once('exit', () => rmSync(counts, { force: true }))

await compareSuite({
  files: files.filter((file) =>
    ABOUT_SCHEMAS.test(readFileSync(join(suiteDir, 'test', file), 'utf8')),
  ),
  knownDifferences: {
    'internals/schema-controller-perf.test.js': [
      {
        title: /SchemaController are loaded when the controllers are not custom$/,
        reason: 'With compiled functions no compiler is loaded.',
      },
    ],
  },
  start: (file, subject) => ({
    cwd: suiteDir,
    args: [
      '--test-reporter=tap',
      ...(subject === 'ours' ? ['--import', preload] : []),
      `test/${file}`,
    ],
    env: { LINE: `fastify@${line}`, COUNTS: counts, NODE_ENV: 'test' },
  }),
})

const sum = { found: 0, missed: 0 }
for (const process of readFileSync(counts, 'utf8').trim().split('\n')) {
  const { found, missed } = JSON.parse(process) as typeof sum
  sum.found += found
  sum.missed += missed
}
console.log(`${sum.found} functions found, ${sum.missed} compiled by Fastify`)
if (sum.found === 0) process.exitCode = 1
