/**
 * Checks the type tests of Fastify 4.21.0 (`test/types` in its package) with `tsd`: as they are, and with the types of
 * this package in the place of Fastify's. What holds of Fastify's types must hold of these.
 *
 *     npm run conformance:types
 */
import { checkTypes, installTypeTests, type Problem } from './suite.ts'

installTypeTests()
const onFastify = await checkTypes('fastify')
const onFramework = await checkTypes('framework')

const known = new Set([
  ...onFastify.problems.map(placeOf),
  // It requires the exact type of `redirect`, which takes a status after the URL as well, as on Fastify 5.
  'reply.test-d.ts:31',
])
const complaints = onFramework.problems.filter((problem) => !known.has(placeOf(problem)))

console.log(
  `${onFramework.fileCount} files, ${onFramework.assertionCount} assertions: ` +
    `${onFastify.problems.length} fail on Fastify's own types, ${complaints.length} here alone, and 1 is a known difference`,
)
for (const problem of complaints) console.error(`${placeOf(problem)} ${problem.message}`)
process.exitCode = complaints.length === 0 ? 0 : 1

function placeOf({ file, line }: Problem): string {
  return `${file}:${line}`
}
