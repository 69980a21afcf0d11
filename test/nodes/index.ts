/**
 * `npm run test:nodes [-- majors filters]`: runs the test files on several releases of Node.js, one after the other.
 * Numbers are majors, by default all that are supported; words are filters, as of `npm test`.
 *
 *     npm run test:nodes -- 22 24 parity
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testedNodes } from '../../runtime/adapter/node-internals/index.ts'
import { nodeBinary } from '../targets/installed.ts'

const args = process.argv.slice(2)
const majors = args.filter((arg) => /^\d+$/.test(arg))
const filters = args.filter((arg) => !/^\d+$/.test(arg))
const runner = fileURLToPath(new URL('../run.js', import.meta.url))

for (const major of majors.length > 0 ? majors : testedNodes) {
  const binary = nodeBinary(major)
  const { stdout: version } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  console.log(`\nNode ${version.trim()}`)
  const { status } = spawnSync(binary, ['--enable-source-maps', runner, ...filters], {
    stdio: 'inherit',
    // Tests that start `node` by name get this one as well.
    env: { ...process.env, PATH: `${join(binary, '..')}:${process.env['PATH']}` },
  })
  if (status !== 0) process.exitCode = 1
}
