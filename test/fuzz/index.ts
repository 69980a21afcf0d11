/**
 * `npm run fuzz -- --cases N --seed S [--kind validator|serializer] [--processes P]`: random schemas over all
 * keywords, emitted against compiled in process. A case is one value given to one schema under one option set.
 * Prints counter-examples, as small as fast-check makes them.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { naturalOf } from './arguments.ts'
import { describeFailure } from './round.ts'
import { fuzz, type FuzzOptions, type Totals } from './run.ts'

const { values: given } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
    processes: { type: 'string', default: '1' },
  },
})
const cases = naturalOf(given, 'cases')
const seed = naturalOf(given, 'seed')
const processes = naturalOf(given, 'processes')
const kind = kindOf(given.kind)

if (processes === 1) runHere()
else for (let i = 0; i < processes; i++) runThere(i)

function kindOf(text: string | undefined): FuzzOptions['kind'] {
  if (text === undefined || text === 'validator' || text === 'serializer') return text
  throw new TypeError(`--kind is validator or serializer, not ${text}`)
}

function runHere(): void {
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
}

function summaryOf({ cases, compiled, refused, failures }: Totals): string {
  return `${cases} cases of ${compiled} schemas (${refused} more refused by both), ${failures.length} counter-examples`
}

/** A share of the cases, from a seed of its own. */
function runThere(index: number): void {
  const args = ['--cases', String(Math.ceil(cases / processes)), '--seed', String(seed + index)]
  const rest = kind === undefined ? [] : ['--kind', kind]
  const child = fork(fileURLToPath(import.meta.url), [...args, ...rest])
  child.on('exit', (code) => {
    if (code !== 0) process.exitCode = 1
  })
}
