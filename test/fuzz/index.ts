/**
 * `npm run fuzz -- --cases N --seed S [--kind validator|serializer]`: random schemas over all
 * keywords, emitted against compiled in process. A case is one value given to one schema under one option set.
 * Prints counter-examples, as small as fast-check makes them.
 */
import { parseArgs } from 'node:util'
import { describeFailure } from './round.ts'
import { fuzz, type FuzzOptions, naturalOf, type Totals } from './run.ts'

const { values: given } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
  },
})
const cases = naturalOf(given, 'cases')
const seed = naturalOf(given, 'seed')
const kind = kindOf(given.kind)

let last = Date.now()
const totals = fuzz({
  cases,
  seed,
  kind,
  onRound({ failure }, sums) {
    if (failure) console.log(describeFailure(failure))
    if (Date.now() - last < 30_000) return
    last = Date.now()
    console.log(summaryOf(sums))
  },
})
console.log(`Seed ${seed}: ${summaryOf(totals)}`)
if (totals.failures.length > 0) process.exitCode = 1

function kindOf(text: string | undefined): FuzzOptions['kind'] {
  if (text === undefined || text === 'validator' || text === 'serializer') return text
  throw new TypeError(`--kind is validator or serializer, not ${text}`)
}

function summaryOf({ cases, compiled, refused, failures }: Totals): string {
  return `${cases} cases of ${compiled} schemas (${refused} more refused by both), ${failures.length} counter-examples`
}
