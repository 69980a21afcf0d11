/** Runs what `compare.ts` has written to a folder where strings cannot be evaluated; argv: the folder. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import type { CompiledFunction, CompiledValidator } from '../../../runtime/artifact/index.ts'
import { requireOfStandalone } from '../../support/compile-oracle.ts'
import { run, textOf } from '../values.ts'
import type { Found } from './compare.ts'

type Load = (module: { exports?: CompiledValidator }, require: NodeRequire) => void

const folder = process.argv[2] as string

// oxlint-disable-next-line no-new-func -- the point of this process
assert.throws(() => Function('return 1'), EvalError)

const { units } = (await import(pathToFileURL(join(folder, 'units.mjs')).href)) as {
  units: (() => CompiledFunction)[]
}
const standalone = createRequire(import.meta.url)(join(folder, 'standalone.cjs')) as Load[]
const jobs = deserialize(readFileSync(join(folder, 'inputs'))) as unknown[][]

const found: Found[number][] = []
for (const [place, inputs] of jobs.entries()) {
  const emitted = (units[place] as () => CompiledFunction)() as CompiledValidator
  const module: { exports?: CompiledValidator } = {}
  ;(standalone[place] as Load)(module, requireOfStandalone)
  for (const input of inputs) {
    const expected = await outcomeOf(module.exports as CompiledValidator, input)
    const actual = await outcomeOf(emitted, input)
    if (expected === actual) continue
    const shown = inspect(input, { depth: null })
    found.push({ place, input: shown, standalone: expected, emitted: actual })
    break
  }
}
writeFileSync(join(folder, 'found'), serialize(found))

/** What an asynchronous validator comes to counts, too. */
async function outcomeOf(validate: CompiledValidator, input: unknown): Promise<string> {
  const outcome = run('validator', validate, input)
  if (!(outcome.result instanceof Promise)) return textOf(outcome)
  const result = await (outcome.result as Promise<unknown>).then(
    (value) => ({ value }),
    ({ errors, message }: { errors: unknown; message: string }) => ({ errors, message }),
  )
  return textOf({ ...outcome, result })
}
