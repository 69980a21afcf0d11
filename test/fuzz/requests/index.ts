/**
 * `npm run fuzz:requests -- --cases N --seed S`: random applications with schemas of all parts, nested contexts and shared
 * schemas, built ahead of time and served where code generation is refused, against the real Fastify: random whole requests,
 * and all that is answered and seen of them.
 * `--line 5` compares `framework/5` with Fastify 5.12.
 * Prints the first failure of each application; `--cases 1 --seed S` repeats one.
 */
import { parseArgs } from 'node:util'
import { knownKinds } from '../../parity/known-kinds.ts'
import { naturalOf } from '../run.ts'
import { differences, replaced } from '../bridge.ts'
import { describeFailure } from './round.ts'
import { fuzzRequests, type Totals } from './run.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    line: { type: 'string', default: '4' },
  },
})
const cases = naturalOf(values, 'cases')
const seed = naturalOf(values, 'seed')
const start = Date.now()
let last = start

if (values.line === '5') {
  await fuzzFastify5()
  process.exit()
}

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

/** Each application of the other line is built and started twice, too. */
async function fuzzFastify5(): Promise<void> {
  const each = Math.min(2000, cases)
  let requests = 0
  for (let i = 0; requests < cases; i++) {
    const found = (await differences('fastify@5', seed + i, each, undefined, replaced)) ?? []
    requests += each
    const [first] = found
    if (first !== undefined) {
      process.exitCode = 1
      console.log(
        `Seed ${seed + i}: ${found.length} differences\n${first.title}\n${first.lines.join('\n')}`,
      )
    }
  }
  console.log(`Seed ${seed}: ${requests} requests on Fastify 5 in ${Date.now() - start} ms`)
}
