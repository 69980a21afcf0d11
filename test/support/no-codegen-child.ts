/** The child of `runWithoutCodegen`: argv are the module of units, the inputs, and where outcomes go. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import type {
  CompiledFunction,
  CompiledSerializer,
  CompiledValidator,
} from '../../runtime/artifact/index.ts'
import { runSerializer, runValidator } from './outcome.ts'

const [unitsFile, inputsFile, outcomesFile] = process.argv.slice(2) as [string, string, string]

// oxlint-disable-next-line no-new-func -- the point of this process
assert.throws(() => Function('return 1'), EvalError)

const { units } = (await import(pathToFileURL(unitsFile).href)) as {
  units: (() => CompiledFunction)[]
}
const jobs = deserialize(readFileSync(inputsFile)) as { kind: string; inputs: unknown[] }[]
const outcomes = jobs.map(({ kind, inputs }, i) => {
  const compiled = (units[i] as () => CompiledFunction)()
  return inputs.map((input) =>
    kind === 'validator'
      ? runValidator(compiled as CompiledValidator, input)
      : runSerializer(compiled as CompiledSerializer, input),
  )
})
writeFileSync(outcomesFile, serialize(outcomes))
