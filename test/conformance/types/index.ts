/**
 * Checks the type tests of Fastify 4.21.0 (`test/types` in its package) with `tsd`, or with `-- --line 5` those of Fastify 5.12.8 with
 * tstyche: as they are, and with the types of this package in the place of Fastify's. What holds of Fastify's types must hold of these.
 *
 *     npm run conformance:types
 */
import { chosenLine } from '../compare.ts'
import { edits, failing } from './edits.ts'
import { checkTypes, installTypeTests, type Problem } from './suite.ts'

const line = chosenLine()
installTypeTests(line)
const onFastify = await checkTypes(line, 'fastify')
const onFramework = await checkTypes(line, 'framework')

const known: ReadonlySet<string> =
  line === '4'
    ? // It requires the exact type of `redirect`, which takes a status after the URL as well, as on Fastify 5.
      new Set(['reply.test-d.ts:31'])
    : new Set(failing.flatMap(({ file, lines }) => lines.map((at) => `${file}.tst.ts:${at}`)))
const expected = new Set(onFastify.problems.map(placeOf))
const found = new Set(onFramework.problems.map(placeOf))
const complaints = [
  ...onFramework.problems
    .filter((problem) => !expected.has(placeOf(problem)) && !known.has(placeOf(problem)))
    .map((problem) => `${placeOf(problem)} ${problem.message}`),
  ...[...known]
    .filter((place) => !found.has(place))
    .map((place) => `${place} is a known difference, but passes`),
]

const changes = line === '4' ? '' : `, after ${edits.length} changes of files`
console.log(
  `${onFramework.fileCount} files, ${onFramework.assertionCount} assertions: ` +
    `${expected.size} fail on Fastify's own types, ${known.size} are known differences${changes}, and ${complaints.length} problems`,
)
for (const complaint of complaints) console.error(complaint)
process.exitCode = complaints.length === 0 ? 0 : 1

function placeOf({ file, line: at }: Problem): string {
  return `${file}:${at}`
}
