/**
 * `npm test [-- filter ...]`: runs the test files whose path contains one of the filters, each in a process of
 * its own. Node 20's `--test <folder>` would run every file of the folder, helpers included.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const filters = process.argv.slice(2)

// From the sources, so that what an old build left in `dist` does not run.
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .sort()
  .map((file) => join(root, 'dist/test', file.replace(/\.ts$/, '.js')))

if (files.length === 0) {
  console.error(`No test file matches ${filters.join(' ')}`)
  process.exitCode = 1
} else {
  const stream = run({ files, concurrency: 2 })
  stream.on('test:fail', () => (process.exitCode = 1))
  stream.compose(new spec()).pipe(process.stdout)
}
