/**
 * `npm run fuzz:requests -- --cases N --seed S`: random applications with schemas of all parts, nested contexts and shared
 * schemas, built ahead of time and served where code generation is refused, against the real Fastify: random whole requests,
 * and all that is answered and seen of them.
 * Prints the first failure of each application; `--cases 1 --seed S` repeats one.
 */
import { parseArgs } from 'node:util'
import { knownKinds } from '../../parity/known-kinds.ts'
import { naturalOf } from '../arguments.ts'
import { describeFailure } from './round.ts'
import { fuzzRequests, type Totals } from './run.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
  },
})
const cases = naturalOf(values, 'cases')
const seed = naturalOf(values, 'seed')
const start = Date.now()
let last = start

const totals = await fuzzRequests({
  cases,
  seed,
  onRound(sums, failures) {
    const [failure] = failures
    if (failure !== undefined) console.log(describeFailure(failure))
    if (Date.now() - last < 30_000) return
    last = Date.now()
    console.log(summaryOf(sums))
  },
})
for (const kind of knownKinds) {
  console.log(`Allowed, ${totals.known.get(kind) ?? 0} times: ${kind.reason}`)
}
console.log(`Seed ${seed}: ${summaryOf(totals)}`)
if (totals.failures.length > 0) process.exitCode = 1

function summaryOf({ requests, applications, known, failures }: Totals): string {
  const allowed = [...known.values()].reduce((sum, count) => sum + count, 0)
  const rate = Math.round((requests * 1000) / (Date.now() - start))
  return `${requests} requests to ${applications} applications (${rate} a second), ${allowed} allowed differences, ${failures.length} others`
}
