/**
 * `npm run fuzz:requests -- --cases N --seed S`: random applications with schemas of all parts, nested contexts and shared
 * schemas, built ahead of time and served where code generation is refused, against the real Fastify: random whole requests,
 * and all that is answered and seen of them.
 *
 * The first failures, one of an application, are made small and written as files that show them when they are run.
 */
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { knownKinds } from '../../parity/known-kinds.ts'
import { naturalOf } from '../arguments.ts'
import { describeFailure, shrink, writeCounterExample } from './counter-example.ts'
import { fuzzRequests, type Totals } from './run.ts'

/** How many failures are made small. */
const SHOWN = 5

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: tmpdir() },
  },
})
const cases = naturalOf(values, 'cases')
const seed = naturalOf(values, 'seed')
const start = Date.now()
let shown = 0
let last = start

const totals = await fuzzRequests({
  cases,
  seed,
  async onRound(sums, failures) {
    const [failure] = failures
    if (failure !== undefined && shown < SHOWN) {
      shown++
      const small = await shrink(failure)
      const file = writeCounterExample(small, values.out, `${failure.seed}-${shown}`)
      console.log(`${describeFailure(small)}\nRun ${file}\n`)
    }
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
