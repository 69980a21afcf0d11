/** Runs emitted code where strings cannot be evaluated; argv: the module of units, the jobs, the answer. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import type { CompiledFunction } from '../../runtime/artifact/index.ts'
import type { ChildAnswers, ChildJobs } from './round.ts'
import { inputsOf, run, textOf } from './values.ts'

const [unitsFile, jobsFile, answersFile] = process.argv.slice(2) as [string, string, string]

// oxlint-disable-next-line no-new-func -- the point of this process
assert.throws(() => Function('return 1'), EvalError)

const { units } = (await import(pathToFileURL(unitsFile).href)) as {
  units: (() => CompiledFunction)[]
}
const jobs = deserialize(readFileSync(jobsFile)) as ChildJobs
const answers: ChildAnswers = jobs.map((sample, i) => {
  const compiled = (units[i] as () => CompiledFunction)()
  return inputsOf(sample).map((input) => textOf(run(sample.kind, compiled, input)))
})
writeFileSync(answersFile, serialize(answers))
