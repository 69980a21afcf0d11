/** The child of `answersWithoutCodegen`. Its arguments are the files of units, calls and answers. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import type { CompiledFunction } from '../../runtime/artifact/index.ts'
import { inputsOf, textOf } from '../fuzz/values.ts'
import type { Calls } from './no-codegen.ts'
import { run } from './outcome.ts'

const [unitsFile, callsFile, answersFile] = process.argv.slice(2) as [string, string, string]

// oxlint-disable-next-line no-new-func -- the point of this process
assert.throws(() => Function('return 1'), EvalError)

const { units } = (await import(pathToFileURL(unitsFile).href)) as {
  units: (() => CompiledFunction)[]
}
const all = deserialize(readFileSync(callsFile)) as Calls[]
const answers = all.map((calls, i) => {
  const compiled = (units[i] as () => CompiledFunction)()
  if ('inputs' in calls) return calls.inputs.map((input) => run(calls.kind, compiled, input))
  return inputsOf(calls).map((input) => textOf(run(calls.kind, compiled, input)))
})
writeFileSync(answersFile, serialize(answers))
